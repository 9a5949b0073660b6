"""A report as a reviewer's browser may show it."""

from __future__ import annotations

import nh3
from markdown_it import MarkdownIt

_MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")
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
    return nh3.clean(
        _MARKDOWN.render(markdown),
        tags=_TAGS,
        attributes=_LINKS,
        url_schemes={"http", "https"},
        link_rel="noopener noreferrer nofollow",
    )
