"""Text of the web in whatever character set it comes in, as UTF-8."""

from __future__ import annotations

import codecs
import re

_MARKS = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_DECLARED = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([A-Za-z0-9_:.-]{1,40})", re.I)
_LOOKED_AT = 1_024
"""Bytes in which a page has to declare its character set: https://html.spec.whatwg.org/#charset."""

_SETS = re.compile(
    r"utf-?8|utf-?16(le|be)?|us-ascii|ascii|latin-?1|iso-?8859-\d+|windows-\d+|cp\d+|koi8-[ru]"
    r"|shift[-_]jis|euc-(jp|kr)|iso-2022-jp|gb2312|gbk|gb18030|big5",
    re.I,
)
"""Those that pages have; Python knows others that are no character sets, or slow ones."""


def as_utf8(data: bytes, charset: str | None) -> bytes:
    """Return the same text in UTF-8, or in UTF-16 if it begins with that one's mark.

    Args:
        data: the text.
        charset: what whoever sent it says that it is in, if they do.
    """
    if data.startswith(_MARKS):
        return data
    declared = _DECLARED.search(data[:_LOOKED_AT])
    named = (charset, declared and declared[1].decode("ascii"), "utf-8")
    for each in named:
        if each and _SETS.fullmatch(each):
            try:
                return data.decode(each).encode()
            except (LookupError, UnicodeDecodeError):
                continue
    # What browsers take text for that says nothing: it has a letter for nearly every byte.
    return data.decode("windows-1252", "replace").encode()
