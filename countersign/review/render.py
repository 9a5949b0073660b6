"""A report as a reviewer's browser may show it."""

from __future__ import annotations

from functools import lru_cache

from countersign.review.dialect import WEB_ADDRESS, dialect, like_an_address

_TAGS = {
    *("h1", "h2", "h3", "h4", "h5", "h6", "p", "br", "hr", "blockquote", "pre", "code"),
    *("em", "strong", "s", "sup", "ul", "ol", "li", "a"),
    *("table", "thead", "tbody", "tr", "th", "td"),
}
_ATTRIBUTES = {"a": {"href", "title"}, "ol": {"start"}, "th": {"align"}, "td": {"align"}}

_OPENS_ELSEWHERE = {"a": {"target": "_blank"}}

_KEPT = 4


def to_html(markdown: str) -> str:
    """Render the Markdown of a report as HTML that can do nothing but be read.

    Raw HTML in the text is shown as text; links lead only to web addresses and open a page of
    their own, without a referrer, and those whose words are another address are followed by their
    own; an image is shown as a link, because loading one would tell its
    server who is reading. Nothing has an id that the page's own could meet. The levels of headings
    are the report's; whoever shows it below a heading of theirs lowers them.
    """
    # Imported here because most processes of the app never show a report.
    import nh3

    return nh3.clean(
        dialect().render(markdown),
        tags=_TAGS,
        attributes=_ATTRIBUTES,
        attribute_filter=_web_address_alone,
        set_tag_attribute_values=_OPENS_ELSEWHERE,
        url_schemes={"http", "https"},
        link_rel="noopener noreferrer nofollow",
    )


kept_html = lru_cache(maxsize=_KEPT)(to_html)
"""The same for whoever shows a report: two million characters take a second, the first time."""


def _web_address_alone(tag: str, attribute: str, value: str) -> str | None:
    if attribute == "title":
        return None if like_an_address(value) else value
    # A browser reads an address without "//" as a place within the app's own.
    return value if attribute != "href" or WEB_ADDRESS.match(value) else None
