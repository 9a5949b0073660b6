"""Who sends a request, and whether they mean to."""

from __future__ import annotations

from collections.abc import Collection
from urllib.parse import unquote

import azure.functions as func

from countersign.approvals.person import Person
from countersign.identity.headers import signed_in_by_cookie
from countersign.services import Services
from endpoints.parameters import Parameter
from endpoints.problems import Problem

PAGE_HEADER = "X-Countersign"
SENDER = Parameter(
    name=PAGE_HEADER,
    place="header",
    description="The percent-encoded id of the signed-in person, or 1; required if a cookie"
    " authenticates the request.",
)
"""What requests of our own page carry that change something."""


async def caller(app: Services, request: func.HttpRequest, roles: Collection[str]) -> Person:
    """Return the person who sent the request.

    Args:
        app: the services.
        request: the request.
        roles: if there are any, the person needs one of them.

    Raises:
        Unauthenticated: the token proves nobody, or is for something else.
        KeysUnavailable: the issuer's keys can't be had.
        Problem: 403, the roles are missing, or another site's page may have sent the request;
            409, the page that sent it shows somebody else.
    """
    _refuse_forgery(request)
    person = await app.verifier.verify(request.headers)
    _refuse_another(request, person)
    if roles and person.roles.isdisjoint(roles):
        needs = f"the role {' or '.join(roles)}"
        raise Problem("not_authorised", f"This requires {needs}.", needs=needs)
    return person


def _refuse_forgery(request: func.HttpRequest) -> None:
    """Let a browser's cookie change something only where our own page says that it asked for it.

    A form of another site makes the browser send the cookie, but can't add a header: OWASP's
    Cross-Site Request Forgery Prevention Cheat Sheet, "Employing Custom Request Headers".
    """
    if (
        changes_something(request.method)
        and signed_in_by_cookie(request.headers)
        and PAGE_HEADER not in request.headers
    ):
        detail = f"A browser's request that changes something needs the header {PAGE_HEADER}."
        raise Problem("forgery_suspected", detail)


def _refuse_another(request: func.HttpRequest, person: Person) -> None:
    """Let nobody answer for what somebody else was about to send.

    The tabs of a browser share its cookie: signing in anew in one of them changes who all the
    others speak for, while they still show the person before.
    """
    meant = unquote(SENDER.of(request) or "")
    if changes_something(request.method) and meant not in ("", "1", person.id):
        detail = f"This came from a page of somebody else; you are signed in as {person.name}."
        raise Problem("another_person", detail, name=person.name)


def changes_something(method: str | None) -> bool:
    """Return whether requests with this method are sent to change something."""
    return method not in ("GET", "HEAD")
