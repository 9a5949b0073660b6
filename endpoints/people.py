"""Who is asking, as the app knows them from their sign-in, and how one signs in."""

from __future__ import annotations

import os

import azure.functions as func

from countersign.identity.sign_in import read_sign_in
from countersign.platform.environment import said
from countersign.roles import DECIDING, PURCHASE_REQUESTER, RESEARCH_REQUESTER
from endpoints.exchange import answer, caller
from endpoints.problems import Problem
from endpoints.routes import route

blueprint = func.Blueprint()


@route(blueprint, "sign-in", "GET")
async def get_sign_in(req: func.HttpRequest) -> func.HttpResponse:
    """Say how people sign in to the page, to anybody: it is asked before anybody has."""
    try:
        sign_in = read_sign_in(said(os.environ))
    except ValueError as error:
        raise Problem(503, "not_configured", f"{error}.") from error
    if sign_in.way != "page":
        return answer(200, {"way": sign_in.way})
    told = {"authority": sign_in.authority, "client_id": sign_in.client_id}
    return answer(200, {"way": sign_in.way, **told, "scope": sign_in.scope})


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
            "request": RESEARCH_REQUESTER in person.roles,
            "purchase": PURCHASE_REQUESTER in person.roles,
            "decide": not person.program and not person.roles.isdisjoint(DECIDING),
        },
    }
    return answer(200, told)
