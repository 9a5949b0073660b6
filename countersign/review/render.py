"""A report as a reviewer's browser may show it."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

_LINKS = {"a": {"href", "title"}}
_TAGS = {
    *("h1", "h2", "h3", "h4", "h5", "h6", "p", "br", "hr", "blockquote", "pre", "code"),
    *("em", "strong", "ul", "ol", "li", "a", "table", "thead", "tbody", "tr", "th", "td"),
}


def to_html(markdown: str) -> str:
    """Render Markdown (CommonMark with tables) as HTML that can do nothing but be read.

    Raw HTML in the text is shown as text; links lead only to web addresses and open without a
    referrer; an image is shown as a link, because loading one would tell its server who is reading.
    """
    # Imported here because most processes of the app never show a report.
    import nh3

    return nh3.clean(
        _commonmark().render(markdown),
        tags=_TAGS,
        attributes=_LINKS,
        url_schemes={"http", "https"},
        link_rel="noopener noreferrer nofollow",
    )


@cache
def _commonmark() -> MarkdownIt:
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")
