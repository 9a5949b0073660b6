"""Write the index of the caller's tenant anew from its ledgers, as somebody who runs the app."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import azure.functions as func

from countersign.approvals.person import OPERATOR, Person
from countersign.services import Services
from endpoints.parameters import CURSOR
from endpoints.routes import route

if TYPE_CHECKING:
    from endpoints.answers.rebuilding import IndexRebuilt

LONGEST_SECONDS = 20.0
"""After that the answer says where to go on: a request gets an answer within 230 seconds."""

blueprint = func.Blueprint()


@route(
    blueprint,
    "index/rebuild",
    "POST",
    roles=(OPERATOR,),
    parameters=[CURSOR],
    problems=["not_authorised"],
)
async def rebuild_index(app: Services, req: func.HttpRequest, person: Person) -> IndexRebuilt:
    """Write rows of the index anew from the ledgers, as many as 20 seconds allow.

    Repeat it with the cursor of each answer until that is null. The app goes on meanwhile.
    """
    from countersign.operations.rebuilding import rebuild
    from endpoints.answers.rebuilding import IndexRebuilt, UnreadableLedger

    ends, cursor = time.monotonic() + LONGEST_SECONDS, CURSOR.of(req)
    operations, corrected, unreadable = 0, 0, dict[str, str]()
    async for done in rebuild(app.operations, person.tenant, after=cursor):
        operations += done.operations
        corrected += done.corrected
        unreadable |= done.unreadable
        if time.monotonic() >= ends:
            cursor = done.last
            break
    else:
        cursor = None
    left = [UnreadableLedger(operation_id=each, reason=why) for each, why in unreadable.items()]
    return IndexRebuilt(operations=operations, corrected=corrected, unreadable=left, cursor=cursor)
