"""Who is asking, how one signs in, and what can be asked for."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import azure.functions as func

from countersign.approvals.person import Person
from countersign.identity.sign_in import read_sign_in
from countersign.platform.environment import said
from countersign.services import Services
from endpoints.problems import Problem
from endpoints.routes import route

if TYPE_CHECKING:
    from endpoints.answers.limits import LimitsView
    from endpoints.answers.people import Me, SignInWay

blueprint = func.Blueprint()


@route(blueprint, "sign-in", "GET", problems=["not_configured"])
async def get_sign_in() -> SignInWay:
    """Tell how people sign in to the page; no token is required."""
    from endpoints.answers.people import SignInAtProvider, SignInElsewhere

    try:
        sign_in = read_sign_in(said(os.environ))
    except ValueError as error:
        raise Problem("not_configured", f"{error}.") from error
    if sign_in.way != "page":
        return SignInElsewhere(way=sign_in.way)
    return SignInAtProvider(
        way=sign_in.way,
        authority=sign_in.authority,
        client_id=sign_in.client_id,
        scope=sign_in.scope,
    )


@route(blueprint, "me", "GET")
async def get_me(person: Person) -> Me:
    """Get the caller's identity and permissions; each operation tells its own."""
    from endpoints.answers.people import Me

    return Me.of(person)


@route(blueprint, "limits", "GET")
async def get_limits(app: Services, person: Person) -> LimitsView:
    """Get the limits of requests and the available choices."""
    from endpoints.answers.limits import LimitsView

    return LimitsView.of(app.settings)
