"""Who is asking, as the app knows them from their sign-in."""

from __future__ import annotations

import azure.functions as func

from countersign.roles import DECIDING, PURCHASER, REQUESTER
from endpoints.exchange import answer, caller
from endpoints.routes import route

blueprint = func.Blueprint()


@route(blueprint, "me", "GET")
async def get_me(req: func.HttpRequest) -> func.HttpResponse:
    """Say who the caller is and what they may do at all; each operation has its own say."""
    person = await caller(req)
    told = {
        "id": person.id,
        "name": person.name,
        "tenant": person.tenant,
        "roles": sorted(person.roles),
        "may": {
            "request": REQUESTER in person.roles,
            "purchase": PURCHASER in person.roles,
            "decide": not person.roles.isdisjoint(DECIDING),
        },
    }
    return answer(200, told)
