"""What a model said truly, with a genuine quote, and the product did not let stand."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bench.evidence.chat_server import Call
from bench.evidence.corpus import documents, text_of
from bench.evidence.labels import Question
from bench.evidence.plain import normal, stands_in
from bench.evidence.report import Reviewed
from bench.evidence.script import objects

_END = re.compile(r"[. ]+$")


def rejected(report: Reviewed | None, question: Question, calls: Sequence[Call]) -> tuple[str, ...]:
    """Return what was left out although its quote stands in a source, each thing once.

    Of a finding whose truth isn't known only its quote counts: a fact-checker may well say that it
    proves something else.
    """
    found = [*_findings(report, question, calls), *_sentences(report, question, calls)]
    return tuple(dict.fromkeys(found))


def _findings(report: Reviewed | None, question: Question, calls: Sequence[Call]) -> Iterator[str]:
    truths = {_plain(truth) for truth in question.truths}
    shown = {_plain(each["claim"]): each for each in report.claims} if report else {}
    for finding in _sent(calls):
        claim, quote = _plain(finding["claim"]), finding["quote"]
        if not any(stands_in(quote, text_of(name)) for name in documents()):
            continue
        standing = shown.get(claim, {"found": report is None or claim not in truths})
        known = claim in truths
        if not standing["found"] or (known and not standing.get("supported")):
            yield f"{finding['claim']} (\u201c{quote}\u201d)"


def _sentences(report: Reviewed | None, question: Question, calls: Sequence[Call]) -> Iterator[str]:
    written = normal(
        " ".join(call.answer.text for call in calls if '"sections"' in call.answer.text)
    )
    kept = normal(" ".join(line.text for line in report.lines)) if report else ""
    for truth in question.truths:
        if _plain(truth) in written and _plain(truth) not in kept:
            yield f"{truth} (left out of the report)"


def _sent(calls: Sequence[Call]) -> Iterator[Mapping[str, Any]]:
    """Yield the findings in a model's answers, whatever else stands there."""
    for call in calls:
        for each in objects(call.answer.text):
            if isinstance(each.get("claim"), str) and isinstance(each.get("quote"), str):
                yield each


def _plain(text: str) -> str:
    return _END.sub("", normal(text))
