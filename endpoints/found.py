"""A page of what a search finds, and how many there are."""

from __future__ import annotations

import asyncio

import azure.functions as func

from countersign.approvals.person import Person
from countersign.services import Services
from countersign.stores.index import BadCursor, Page
from countersign.stores.search import Search
from endpoints.parameters import CURSOR, limit_in
from endpoints.problems import malformed


async def found(
    app: Services, request: func.HttpRequest, person: Person, search: Search
) -> tuple[Page, int | None]:
    """Return the page that a request asks for, and the count of all pages together.

    Raises:
        Problem: 422, the cursor is not one of this list.
    """
    index, limit = app.operations.index, limit_in(request)
    try:
        page, count = await asyncio.gather(
            index.search(person.tenant, search, limit=limit, cursor=CURSOR.of(request)),
            index.count(person.tenant, search),
        )
    except BadCursor as error:
        raise malformed({"cursor": "it must be a cursor that this list returned"}) from error
    return page, count
