"""A number with its noun, as a person would write it."""

from __future__ import annotations


def counted(number: int, noun: str, plural: str = "") -> str:
    """Return "1 row", "2 rows" or "1,200 rows".

    Args:
        number: how many there are.
        noun: what one of them is called.
        plural: what several are called; the noun with an s by default.
    """
    return f"{number:,} {noun if number == 1 else plural or f'{noun}s'}"
