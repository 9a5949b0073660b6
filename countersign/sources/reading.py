"""What a document is once it is read, and the plain text that every reader makes."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

from countersign.sources.locators import Locator
from countersign.sources.origin import stated_address

LONGEST_TITLE = 120

_NAMED_SOURCE = re.compile(
    r"^Source:[^\n]*(?:\n[^\n]+){0,3}?\s<?(https?://[^\s<>;,]{0,2000}[^\s<>;,.)])", re.MULTILINE
)
_INVISIBLE = re.compile(
    r"[\x00-\x08\x0b\x0e-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]"
)


class Unreadable(Exception):
    """The file isn't text that can be read."""


class TooLong(Unreadable):
    """The file has more text than is taken."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Document:
    """What a file says.

    Attributes:
        title: Its own, or else its file's name.
        text: All its text, as a person sees it.
        url: The address that it names as its own source, if it does.
        locators: Where each part of the text stands in the file, in order.
        warnings: What of the file isn't in the text, or may be in the wrong order; a sentence each.
    """

    title: str
    text: str
    url: str | None = None
    locators: tuple[Locator, ...] = ()
    warnings: tuple[str, ...] = ()


def printable(text: str) -> str:
    """Return the text with plain line ends and without characters that nobody sees.

    Form feeds become line ends. Controls that turn the reading direction are removed too: they can
    make a text look other than what it says.
    """
    unified = text.replace("\r\n", "\n").replace("\r", "\n").replace("\x0c", "\n")
    return _INVISIBLE.sub("", unified)


def one_line(text: str) -> str:
    """Return a title: one line, at most LONGEST_TITLE characters."""
    return " ".join(printable(text).split())[:LONGEST_TITLE]


def decoded(data: bytes) -> str:
    """Return the text of a file in UTF-8, or in UTF-16 with a byte order mark.

    Raises:
        Unreadable: It is in another encoding, or no text.
    """
    utf16 = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    try:
        text = data.decode("utf-16" if utf16 else "utf-8-sig")
    except UnicodeDecodeError as error:
        raise Unreadable("it is neither UTF-8 nor UTF-16 text: save it as UTF-8") from error
    if "\x00" in text:
        raise Unreadable("it is not a text file")
    return text


def named_source(text: str) -> str | None:
    """Return the address in a text's line `Source: …`; None if it has no such line.

    An address with a user name is not taken: it can look like one of somebody else's.
    """
    named = _NAMED_SOURCE.search(text)
    return stated_address(named.group(1)) if named else None
