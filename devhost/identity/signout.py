"""The question before somebody is signed out: a link or an image must not be enough for that.

OpenID Connect RP-Initiated Logout 1.0, section 2, has providers ask as well.
"""

from __future__ import annotations

from html import escape
from pathlib import Path
from string import Template
from urllib.parse import parse_qs

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

WANTED = "post_logout_redirect_uri"

PAGE_HEADERS = {
    "Cache-Control": "no-store",
    # Browsers hold a form's redirects to `form-action`, and these lead back to the app's page.
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline';"
    " form-action 'self' http://127.0.0.1:* http://localhost:*;"
    " frame-ancestors 'none'; base-uri 'none'",
}


def asking(action: str, target: str) -> Response:
    """Return the page with the button that signs out.

    Args:
        action: the path that it sends its form to.
        target: where one is led afterwards.
    """
    page = Template(Path(__file__).with_name("signout.html").read_text("utf-8"))
    content = page.substitute(action=escape(action), target=escape(target))
    return HTMLResponse(content, headers=PAGE_HEADERS)


async def wanted_after(request: Request) -> str:
    """Return where a sent form, or else its address, leads afterwards; empty if nowhere."""
    form = parse_qs((await request.body()).decode("utf-8", "replace"))
    return form.get(WANTED, [request.query_params.get(WANTED, "")])[0]
