"""How many of something there are, for people."""

from __future__ import annotations


def counted(number: int, noun: str) -> str:
    """Return a number with its noun, which takes an `s` in the plural."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
