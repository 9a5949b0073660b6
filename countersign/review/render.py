"""A report as a reviewer's browser may show it."""

from __future__ import annotations

import re
from functools import cache
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

LONGEST_RENDERED = 200_000
"""Characters. Markdown made to be slow takes up to 25 microseconds for each."""

_TOO_LONG = (
    "This text is too long to be shown with its headings and links, so here it is as written."
)

_TAGS = {
    *("h1", "h2", "h3", "h4", "h5", "h6", "p", "br", "hr", "blockquote", "pre", "code"),
    *("em", "strong", "ul", "ol", "li", "a", "table", "thead", "tbody", "tr", "th", "td"),
}
_ATTRIBUTES = {"a": {"href", "title"}, "ol": {"start"}}
_WEB_ADDRESS = re.compile(r"https?://[^/?#\\@]+(?:[/?#]|\Z)", re.IGNORECASE)
"""With a host, and no user name that could look like one."""

_OPENS_ELSEWHERE = {"a": {"target": "_blank"}}


def to_html(markdown: str) -> str:
    """Render Markdown (CommonMark with tables) as HTML that can do nothing but be read.

    Raw HTML in the text is shown as text; links lead only to web addresses and open a page of
    their own, without a referrer; an image is shown as a link, because loading one would tell its
    server who is reading. Nothing has an id that the page's own could meet. The levels of headings
    are the report's; whoever shows it below a heading of theirs lowers them.

    A text of more than LONGEST_RENDERED characters is shown as it is written, after a sentence
    that says so.
    """
    if len(markdown) > LONGEST_RENDERED:
        return f"<p>{_TOO_LONG}</p>\n<pre>{escape(markdown)}</pre>"
    # Imported here because most processes of the app never show a report.
    import nh3

    return nh3.clean(
        _commonmark().render(markdown),
        tags=_TAGS,
        attributes=_ATTRIBUTES,
        attribute_filter=_web_address_alone,
        set_tag_attribute_values=_OPENS_ELSEWHERE,
        url_schemes={"http", "https"},
        link_rel="noopener noreferrer nofollow",
    )


def _web_address_alone(tag: str, attribute: str, value: str) -> str | None:
    # A browser reads an address without "//" as a place within the app's own.
    return value if attribute != "href" or _WEB_ADDRESS.match(value) else None


@cache
def _commonmark() -> MarkdownIt:
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")
