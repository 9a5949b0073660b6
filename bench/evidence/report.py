"""A report as a reviewer has it before them: its sentences, its quotes, and what is marked."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from bench.evidence.plain import normal

Kind = Literal["title", "heading", "sentence", "quote"]

_SOURCES = "## Sources"
_CITED = re.compile(r"\s*\\?\[(\d+)\\?\]")
_QUOTED = re.compile(r"\u201c([^\u201d]*)\u201d")
# After one or two digits a full stop makes an ordinal, as in "3. November", or cites at once.
_END = r"(?:[!?\u2026]|(?<!\b\d)(?<!\b\d\d)\.|\.(?=\s*\\?\[|\s*$))[\"')]*(?=\s|$)"
_SENTENCE = re.compile(rf".+?(?:{_END}|$)(?:\s*\\?\[\d+\\?\])*", re.DOTALL)
_PLACE = (
    r"(?:p|pp|page|pages|section|sheet|slide|row|rows|line|lines)\.?"
    r" (?:\u201c[^\u201d]*\u201d|[\d\u2013-]+)"
)
_FRAME = re.compile(
    r"Closest to the topic:|Overview|Whole sentences|Quotes in their sentences"
    r"|Quotes with \u201c\u2026\u201d are parts of sentences\."
    r" (?:These are the sentences|Here they are with what stands around them)\."
    r"|(?:Nothing was found|Nothing of what was found could be confirmed) on: [^\n]*"
    r"|(?:One|\d+) statements? on this topic from (?:one|\d+) sources?, each quoted word for word\."
    rf"|(?<=\]), {_PLACE}(?: to {_PLACE})?"
)
"""What the program says in a report of its own, which no source has to carry."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Line:
    """A sentence of a report, or its title, a heading or a quote.

    Attributes:
        kind: which of these.
        text: what it says, without its citations.
        cites: the numbers of the sources that it cites.
        marked: whether the reviewer is told not to rely on it.
    """

    kind: Kind
    text: str
    cites: tuple[int, ...]
    marked: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class Reviewed:
    """What a proposal shows.

    Attributes:
        lines: of the report, in order.
        sources: its sources, as it lists them.
        claims: of its evidence, as the API shows them.
    """

    lines: tuple[Line, ...]
    sources: tuple[str, ...]
    claims: tuple[Mapping[str, Any], ...]

    def quotes(self) -> list[Line]:
        """Return the quotes that are printed."""
        return [line for line in self.lines if line.kind == "quote"]

    def evidence(self, numbers: Sequence[int]) -> list[str]:
        """Return the evidence's quotes from these sources; from all sources if none are given."""
        cited = [self.sources[number - 1] for number in numbers if number <= len(self.sources)]
        return [
            claim["quote"]
            for claim in self.claims
            if claim["supported"]
            and (not numbers or any(f"({claim['source']})" in source for source in cited))
        ]


def reviewed(proposal: Mapping[str, Any]) -> Reviewed:
    """Read a proposal as the API shows it."""
    evidence = proposal["evidence"] or {}
    body, _, end = proposal["content"]["text"].partition(_SOURCES)
    return Reviewed(
        lines=tuple(_lines(body, _marked(evidence))),
        sources=tuple(normal(title) for title in re.findall(r"^\d+\. (.*)$", end, re.MULTILINE)),
        claims=tuple(evidence.get("claims", ())),
    )


def _marked(evidence: Mapping[str, Any]) -> list[str]:
    """Return the sentences that the evidence tells a reviewer not to rely on."""
    return [normal(_CITED.sub("", each["sentence"])) for each in evidence.get("doubts", ())]


def _lines(body: str, marked: Sequence[str]) -> Iterator[Line]:
    for block in body.split("\n\n"):
        text = _FRAME.sub("", block).strip().removeprefix(">")
        if text.startswith("# "):
            yield _line("title", text[2:], marked)
        elif text.startswith("## "):
            if _says_something(text[3:]):
                yield _line("heading", text[3:], marked)
        else:
            for sentence in _sentences(text):
                yield from _parts(sentence, marked)


def _sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a paragraph; a quote is never cut, whatever stands in it."""
    quotes = _QUOTED.findall(text)
    held = _QUOTED.sub("\u201c\u201d", text)
    for sentence in _SENTENCE.findall(held):
        parts = sentence.split("\u201c\u201d")
        within = [f"\u201c{quotes.pop(0)}\u201d" for _ in parts[1:]]
        yield parts[0] + "".join(map("".join, zip(within, parts[1:], strict=True)))


def _parts(sentence: str, marked: Sequence[str]) -> Iterator[Line]:
    """Yield the quotes in a sentence, and what it says besides."""
    cites = "".join(f"[{number}]" for number in _CITED.findall(sentence))
    for quote in filter(_says_something, _QUOTED.findall(sentence)):
        yield _line("quote", quote + cites, marked)
    rest = _QUOTED.sub("", sentence)
    if _says_something(rest):
        yield _line("sentence", rest, marked)


def _says_something(text: str) -> bool:
    return any(map(str.isalnum, _CITED.sub("", text)))


def _line(kind: Kind, text: str, marked: Sequence[str]) -> Line:
    said = _CITED.sub("", text).strip()
    return Line(
        kind=kind,
        text=said,
        cites=tuple(int(number) for number in _CITED.findall(text)),
        marked=_is_marked(kind, normal(said), marked),
    )


def _is_marked(kind: Kind, said: str, marked: Sequence[str]) -> bool:
    # Two sentences may be one to the program, as after "18 h."
    return said in marked or (kind == "sentence" and any(said in each for each in marked))
