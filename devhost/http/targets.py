"""What a request's target and headers say, read as the web server of the genuine host does.

That is Kestrel: https://github.com/dotnet/aspnetcore, `PathNormalizer`, `UrlDecoder`,
`QueryStringEnumerable`, `PathString` and `StringValues`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import quote

_OCTETS = re.compile(r"(?:%[0-9A-Fa-f]{2})+")
# An encoded slash is part of a segment, not the end of one.
_OCTETS_BUT_SLASHES = re.compile(r"(?:%(?!2[Ff])[0-9A-Fa-f]{2})+")
_ORIGIN = re.compile(r"https?://[^/]*(?=/)", re.IGNORECASE)
_LONE_PERCENT = re.compile(r"%(?![0-9A-Fa-f]{2})")


class BadTarget(Exception):
    """The request is answered with 400 before any function is looked for."""


def read_path(raw: str) -> str:
    """Return a target's path, decoded and without dot segments; `%2F` stays as it is.

    Raises:
        BadTarget: It has a `%00`.
    """
    path = _decoded(_ORIGIN.sub("", raw), _OCTETS_BUT_SLASHES)
    if "\0" in path:
        raise BadTarget
    return _without_dots(path)


def read_query(raw: str) -> dict[str, str]:
    """Return a target's query by name; empty values are left out."""
    pairs = (part.partition("=") for part in raw.replace("+", " ").split("&") if part)
    values = joined((_decoded(name, _OCTETS), _decoded(value, _OCTETS)) for name, _, value in pairs)
    return {name: value for name, value in values.items() if value}


def joined(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return one value for each name, spelt as it came last in whatever case.

    Of a name that comes more than once, the values that aren't empty are joined by commas.
    """
    names: dict[str, str] = {}
    values: dict[str, list[str]] = {}
    for name, value in pairs:
        names[name.lower()] = name
        values.setdefault(name.lower(), []).append(value)
    return {names[key]: ",".join(filter(None, each)) for key, each in values.items()}


def written(path: str) -> str:
    """Return a decoded path with what a URL can't hold percent-encoded."""
    return quote(_LONE_PERCENT.sub("%25", path), safe="!$&'()*+,-./:;=@_~%")


def _decoded(text: str, octets: re.Pattern[str]) -> str:
    return octets.sub(lambda found: _utf8(found[0]), text)


def _utf8(escaped: str) -> str:
    """Decode percent-encoded octets; those that are no UTF-8 stay as they are written."""
    octets = bytes.fromhex(escaped.replace("%", ""))
    text, place = "", 0
    while place < len(octets):
        try:
            return text + octets[place:].decode()
        except UnicodeDecodeError as error:
            begin, end = place + error.start, place + error.end
            text += octets[place:begin].decode() + escaped[3 * begin : 3 * end]
            place = end
    return text


def _without_dots(path: str) -> str:
    """Remove dot segments (RFC 3986, section 5.2.4)."""
    kept: list[str] = []
    segments = path.split("/")
    for number, segment in enumerate(segments):
        if segment not in (".", ".."):
            kept.append(segment)
            continue
        if segment == ".." and len(kept) > 1:
            kept.pop()
        if number == len(segments) - 1:
            kept.append("")
    return "/".join(kept)
