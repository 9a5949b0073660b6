"""Numbers as a sheet shows them (ECMA-376 part 1, 18.8.31), as far as the usual formats go."""

from __future__ import annotations

import re
from decimal import ROUND_HALF_UP, Decimal

_CURRENCY = re.compile(r"\[\$([^\]-]*)[^\]]*\]")
_UNSHOWN = re.compile(r"\[[^\]]*\]|_.|\*.")
_LITERAL = re.compile(r'"([^"]*)"|\\(.)')
_FORMAT = re.compile(
    r"(?P<before>[^#0?,.%]*)(?P<whole>[#0,]*[#0])(?:\.(?P<decimals>[#0]*))?(?P<percent>\s?%)?"
    r"(?P<after>[^#0?,.%]*)"
)


def shown_number(value: float, number_format: str) -> str:
    """Return a number in its format; in one that isn't usual, with all its digits.

    Formats say nothing of the reader's language: decimals have a point, thousands a comma.
    """
    sections = number_format.split(";")
    negative = value < 0 and len(sections) > 1
    section = _UNSHOWN.sub("", _CURRENCY.sub(r'"\1"', sections[1 if negative else 0]))
    literals: list[str] = []

    def kept(literal: re.Match[str]) -> str:
        literals.append(literal[1] if literal[1] is not None else literal[2])
        return chr(0xE000 + len(literals) - 1)  # a private character, which no format has

    found = _FORMAT.fullmatch(_LITERAL.sub(kept, section))
    if found is None:
        return _general(value)
    number = _number(abs(value) if negative else value, found)
    text = f"{found['before']}{number}{found['percent'] or ''}{found['after']}"
    return "".join(
        literals[ord(each) - 0xE000] if 0xE000 <= ord(each) < 0xE000 + len(literals) else each
        for each in text
    ).strip()


def _number(value: float, found: re.Match[str]) -> str:
    exact = Decimal(repr(value)) * (100 if found["percent"] else 1)
    decimals = found["decimals"] or ""
    rounded = exact.quantize(Decimal(1).scaleb(-len(decimals)), ROUND_HALF_UP)
    text = f"{rounded:,f}" if "," in found["whole"] else f"{rounded:f}"
    optional = len(decimals) - len(decimals.rstrip("#"))
    for _ in range(optional):
        text = text.removesuffix("0")
    return text.removesuffix(".")


def _general(value: float) -> str:
    return str(int(value)) if float(value).is_integer() and abs(value) < 1e15 else f"{value:.11g}"
