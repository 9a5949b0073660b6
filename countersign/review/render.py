"""A report as a reviewer's browser may show it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import cache
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_core import StateCore
    from markdown_it.token import Token

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

_LIKE_AN_ADDRESS = re.compile(r"://|[\w-]\.[^\W\d_]{2}")
"""A name with a dot before at least two letters: a host, though some of these are none."""

_OPENS_ELSEWHERE = {"a": {"target": "_blank"}}


def to_html(markdown: str) -> str:
    """Render Markdown (CommonMark with tables) as HTML that can do nothing but be read.

    Raw HTML in the text is shown as text; links lead only to web addresses and open a page of
    their own, without a referrer, and those whose words are another address are followed by their
    own; an image is shown as a link, because loading one would tell its
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
    if attribute == "title":
        return None if _LIKE_AN_ADDRESS.search(_plain(value)) else value
    # A browser reads an address without "//" as a place within the app's own.
    return value if attribute != "href" or _WEB_ADDRESS.match(value) else None


def _show_addresses(state: StateCore) -> None:
    """Put the address of a link after it whose words look like another one."""
    for block in state.tokens:
        if block.children:
            block.children = [*_with_addresses(block.children)]


def _with_addresses(tokens: Sequence[Token]) -> Iterator[Token]:
    address, words = "", ""
    for token in tokens:
        yield token
        if token.type == "link_open":
            address, words = str(token.attrs.get("href", "")), ""
        elif token.type == "link_close" and _misleads(words, address):
            yield type(token)("text", "", 0, content=f" ({address})")
        else:
            words += token.content


def _misleads(words: str, address: str) -> bool:
    said = _plain(words)
    is_address = _LIKE_AN_ADDRESS.search(said) and _WEB_ADDRESS.match(address)
    return bool(is_address) and said not in {address, address.partition("//")[2].rstrip("/")}


def _plain(words: str) -> str:
    """Return words as they are read: without what can't be seen, with full stops for their kin."""
    composed = unicodedata.normalize("NFKC", words).replace("\u3002", ".")
    return "".join(each for each in composed if unicodedata.category(each)[0] not in "CZ")


@cache
def _commonmark() -> MarkdownIt:
    from markdown_it import MarkdownIt

    commonmark = MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")
    commonmark.core.ruler.push("addresses", _show_addresses)
    return commonmark
