"""The pages of the sign-in, which all have one style."""

from __future__ import annotations

from pathlib import Path
from string import Template

from starlette.responses import HTMLResponse, Response

PAGE_HEADERS = {
    "Cache-Control": "no-store",
    # Browsers hold a form's redirects to `form-action`, and these lead back to the app's page.
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline';"
    " form-action 'self' http://127.0.0.1:* http://localhost:*;"
    " frame-ancestors 'none'; base-uri 'none'",
}


def page(name: str, **parts: str) -> Response:
    """Return a page of the sign-in, with the style that all of them have.

    Args:
        name: the file of its template.
        **parts: what stands in the template's places, as HTML.
    """
    style, template = (
        Path(__file__).with_name(each).read_text("utf-8") for each in ("pages.css", name)
    )
    content = Template(template).substitute(parts, style=style)
    return HTMLResponse(content, headers=PAGE_HEADERS)
