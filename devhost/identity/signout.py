"""The question before somebody is signed out: a link or an image must not be enough for that.

OpenID Connect RP-Initiated Logout 1.0, section 2, has providers ask as well.
"""

from __future__ import annotations

from html import escape
from urllib.parse import parse_qs

from starlette.requests import Request
from starlette.responses import Response

from devhost.identity.pages import page

WANTED = "post_logout_redirect_uri"


def asking(action: str, target: str) -> Response:
    """Return the page with the button that signs out.

    Args:
        action: the path that it sends its form to.
        target: where one is led afterwards.
    """
    return page("signout.html", action=escape(action), target=escape(target))


async def wanted_after(request: Request) -> str:
    """Return where a sent form, or else its address, leads afterwards; empty if nowhere."""
    form = parse_qs((await request.body()).decode("utf-8", "replace"))
    return form.get(WANTED, [request.query_params.get(WANTED, "")])[0]
