"""The figures of one model: how it did over all questions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

PROPOSED = "awaiting_approval"


@dataclass(frozen=True, kw_only=True, slots=True)
class Result:
    """What became of one question.

    Attributes:
        question: its id.
        labels: how many sentences answer it.
        state: what became of the operation.
        reason: why, if it says so.
        unmarked: lines that no source carries, and that the reviewer was not warned of.
        marked: how many such lines they were warned of.
        refused: what is true, stands in its source, and was left out all the same.
        false_alarms: supported lines that the reviewer was warned of.
        quotes: how many quotes were printed.
        foreign: those that stand in no source.
        right: how many of the quotes hold a sentence that answers the question.
        found: how many of the sentences that answer it are in a quote.
        calls: how often the model was asked; None if it is not asked over HTTP.
        tokens: what that cost, asked and answered.
        seconds: how long the report took.
    """

    question: str
    labels: int
    state: str
    reason: str = ""
    unmarked: tuple[str, ...] = ()
    marked: int = 0
    refused: tuple[str, ...] = ()
    false_alarms: tuple[str, ...] = ()
    quotes: int = 0
    foreign: tuple[str, ...] = ()
    right: int = 0
    found: int = 0
    calls: int | None
    tokens: int | None
    seconds: float


def table(model: str, results: Sequence[Result]) -> str:
    """Return the figures of a model as a table of two columns."""
    return "\n".join(f"{name:58}{figure:>14}" for name, figure in _rows(model, results))


def _rows(model: str, results: Sequence[Result]) -> Iterator[tuple[str, str]]:
    answerable = [each for each in results if each.labels]
    unanswerable = [each for each in results if not each.labels]
    reports = [each for each in results if each.state == PROPOSED]
    yield "model", model
    yield "answered, of the questions that the sources answer", _share(_proposed(answerable))
    yield "left unanswered, of those that they don't", _share(_silent(unanswerable))
    quotes = sum(each.quotes for each in reports)
    labels = sum(each.labels for each in answerable)
    yield "citation precision: quotes that answer", f"{_sum(reports, 'right')}/{quotes}"
    yield (
        "citation recall: answering sentences that are quoted",
        f"{_sum(reports, 'found')}/{labels}",
    )
    yield "quotes that stand in no source", str(sum(len(each.foreign) for each in reports))
    yield "unsupported lines shown without a mark", str(sum(len(r.unmarked) for r in reports))
    yield "unsupported lines shown with a mark", str(_sum(reports, "marked"))
    yield "false rejections: true statements left out", str(sum(len(r.refused) for r in results))
    yield (
        "false alarms: supported lines with a mark",
        str(sum(len(r.false_alarms) for r in reports)),
    )
    yield "model calls", _total([each.calls for each in results])
    yield "tokens", _total([each.tokens for each in results])
    yield "seconds, in all", f"{sum(each.seconds for each in results):,.0f}"


def _proposed(results: Sequence[Result]) -> tuple[int, int]:
    return sum(each.state == PROPOSED for each in results), len(results)


def _silent(results: Sequence[Result]) -> tuple[int, int]:
    return sum(each.state != PROPOSED for each in results), len(results)


def _share(counted: tuple[int, int]) -> str:
    return "{}/{}".format(*counted)


def _sum(results: Sequence[Result], name: str) -> int:
    return sum(getattr(each, name) for each in results)


def _total(figures: Sequence[int | None]) -> str:
    known = [each for each in figures if each is not None]
    return f"{sum(known):,}" if known else "-"
