"""Read and check the citations in what a writer wrote: `[3]`, or `[3][4]`, or `[3, 4]`."""

from __future__ import annotations

import re
from collections.abc import Container

_CITATION = re.compile(r"\s*\[(\d{1,9}(?:\s*[,;]\s*\d{1,9})*)\]")
_PARAGRAPH_END = re.compile(r"\n\s*\n")


def paragraphs(text: str) -> list[str]:
    """Return the paragraphs of a text."""
    return [paragraph for paragraph in _PARAGRAPH_END.split(text.strip()) if paragraph]


def cited(text: str) -> list[int]:
    """Return the numbers that a text cites, in order of first citation."""
    return list(dict.fromkeys(number for group in _CITATION.findall(text) for number in _in(group)))


def only_known(text: str, numbers: Container[int]) -> str:
    """Return the text without citations of other numbers, each of them in brackets of its own."""

    def known(citation: re.Match[str]) -> str:
        return "".join(f" [{number}]" for number in _in(citation[1]) if number in numbers)

    return _CITATION.sub(known, text)


def bare(text: str) -> str:
    """Return the text without citations."""
    return " ".join(_CITATION.sub("", text).split())


def _in(group: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", group)]
