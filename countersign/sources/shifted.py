"""Raised and lowered figures as characters of their own: 10⁶ is another number than 106."""

from __future__ import annotations

_RAISED = str.maketrans("0123456789+-\u2212=()n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿ")
_LOWERED = str.maketrans("0123456789+-\u2212=()", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎")


def raised(text: str) -> str:
    """Return figures and signs as raised ones; what has other characters stays as it is."""
    return _shifted(text, _RAISED)


def lowered(text: str) -> str:
    """Return figures and signs as lowered ones; what has other characters stays as it is."""
    return _shifted(text, _LOWERED)


def _shifted(text: str, table: dict[int, int]) -> str:
    return text.translate(table) if all(ord(each) in table for each in text.strip()) else text
