"""Say which lines of a report its sources carry, by the labels and by plain comparison.

The product's own code has no part in it, and neither has any model.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bench.evidence import plain
from bench.evidence.corpus import documents, text_of
from bench.evidence.labels import Question
from bench.evidence.report import Line, Reviewed

LEAST_SHARED = 0.6
"""The part of a sentence's words that its quotes have, at least, if they carry it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Judged:
    """What was found of one report.

    Attributes:
        unmarked: the unsupported lines that a reviewer is not warned of, each with the reason.
        marked: how many unsupported lines they are warned of.
        false_alarms: the supported lines that they are warned of.
        quotes: how many quotes are printed.
        foreign: those of them that stand in no source.
        right: how many of the quotes hold a sentence that answers the question.
        found: how many of the sentences that answer the question are in a quote.
    """

    unmarked: tuple[str, ...]
    marked: int
    false_alarms: tuple[str, ...]
    quotes: int
    foreign: tuple[str, ...]
    right: int
    found: int


def judged(report: Reviewed, question: Question) -> Judged:
    """Judge a report by the labels of its question."""
    reasons = [(line, fault_of(line, report, question)) for line in report.lines]
    quotes = _distinct(line.text for line in report.lines if _is_quote(line))
    labels = [place.sentence for place in question.sources]
    return Judged(
        unmarked=_distinct(
            f"{line.kind}: {line.text} ({fault})"
            for line, fault in reasons
            if fault and not line.marked
        ),
        marked=len(_distinct(line.text for line, fault in reasons if fault and line.marked)),
        false_alarms=_distinct(line.text for line, fault in reasons if not fault and line.marked),
        quotes=len(quotes),
        foreign=tuple(quote for quote in quotes if not _is_genuine(quote)),
        right=sum(any(holds(quote, label) for label in labels) for quote in quotes),
        found=sum(any(holds(quote, label) for quote in quotes) for label in labels),
    )


_OF_ANY_TEXT = frozenset(
    """
    introduction overview summary background findings results conclusion einleitung überblick
    zusammenfassung hintergrund ergebnisse fazit aperçu résumé résultats
    """.split()  # noqa: SIM905
)
"""Headings that say what a part of a text is for, and nothing about the world."""


def _distinct(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(texts))


def fault_of(line: Line, report: Reviewed, question: Question) -> str:
    """Return why the sources don't carry a line; nothing if they do."""
    if line.kind == "quote":
        return "" if _is_genuine(line.text) else "the quote stands in no source"
    said = plain.normal(line.text).rstrip(".")
    if any(plain.normal(lie).rstrip(".") in said for lie in question.lies):
        return "a known lie"
    quotes = _quotes_for(line, report)
    if line.kind == "sentence":
        return _fault_of_sentence(line, quotes, question)
    if line.kind == "heading" and line.text.casefold() in _OF_ANY_TEXT:
        return ""
    # A title repeats what was asked, or the title of a source, and cites nothing.
    return _invented(line.text, [*quotes, *report.sources, question.text])


def holds(quote: str, label: str) -> bool:
    """Return whether a quote has at least half of a labelled sentence and no part of another."""
    asked, given = plain.normal(label).rstrip("."), plain.normal(quote).rstrip(".")
    if asked in given:
        return True
    part = given.strip("\u2026 ")
    return part in asked and 2 * len(part) >= len(asked)


def _fault_of_sentence(line: Line, quotes: Sequence[str], question: Question) -> str:
    if not line.cites:
        return "it cites nothing"
    if _is_repeated(line):
        return ""
    if not quotes:
        return "no quote is shown from what it cites"
    said = plain.normal(line.text).rstrip(".")
    if any(said == plain.normal(truth).rstrip(".") for truth in question.truths):
        return ""
    if invented := _invented(line.text, quotes):
        return invented
    nearest = max(quotes, key=lambda quote: len(plain.stems(quote) & plain.stems(line.text)))
    if plain.is_negative(line.text) != plain.is_negative(nearest):
        return "it says no where its quote says yes, or the other way round"
    return ""


def _invented(text: str, quotes: Sequence[str]) -> str:
    known = " ".join(quotes)
    if missing := plain.numbers(text) - plain.numbers(known):
        return f"no quote has {', '.join(sorted(missing))}"
    words = plain.stems(text)
    if words and len(words & plain.stems(known)) < LEAST_SHARED * len(words):
        return "its words are not those of its quotes"
    return ""


def _quotes_for(line: Line, report: Reviewed) -> list[str]:
    """Return the genuine quotes that a line cites; all genuine quotes if it cites none."""
    shown = [each for each in report.lines if each is not line and _is_quote(each)]
    printed = [each.text for each in shown if not line.cites or set(each.cites) & set(line.cites)]
    known = [quote for quote in report.evidence(line.cites) if _is_genuine(quote)]
    return [*printed, *known]


def _is_quote(line: Line) -> bool:
    """Return whether a line is a quote or repeats whole sentences of a source unmarked."""
    return line.kind == "quote" or (line.kind == "sentence" and _is_repeated(line))


def _is_repeated(line: Line) -> bool:
    return bool(line.cites) and any(plain.is_whole_in(line.text, text_of(n)) for n in documents())


def _is_genuine(quote: str) -> bool:
    return any(plain.stands_in(quote, text_of(name)) for name in documents())
