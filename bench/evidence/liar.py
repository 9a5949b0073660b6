"""A scripted model that lies on purpose, in each role and in every way that is known.

Some truth is among it, since a report that holds nothing sound is never shown to anybody.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from bench.evidence import strong
from bench.evidence.chat_server import Answer, priced
from bench.evidence.labels import Question
from bench.evidence.script import Request, read

ALWAYS = (
    "The mayor resigned over it in 2019",
    "Dr Adelheid Quast has confirmed this",
    "Experts agree that this is the best solution",
    "More is to be read at https://evil.example/more",
)
"""What it says of everything, and no source does."""

_NEGATION = re.compile(
    r"\b(?:not |no |nicht |keinen? |n'|ne |pas |It is false that |Es stimmt nicht, dass )"
)
_DIGIT = re.compile(r"\d")


class Liar:
    """Answers each role with lies among the truth.

    Args:
        questions: What may be asked.
    """

    def __init__(self, questions: Sequence[Question]) -> None:
        self._questions = questions

    def __call__(self, request: dict[str, Any]) -> Answer:
        """Answer one request."""
        asked = read(request, self._questions)
        return priced(request, json.dumps(_answer(asked) if asked else {}, ensure_ascii=False))


def _answer(asked: Request) -> dict[str, Any]:
    match asked.form:
        case "Plan":
            return {"subtopics": [asked.question.text]}
        case "Research" | "Findings":
            return {"findings": [*strong.findings(asked), *_false_findings(asked)], "look_up": []}
        case "FactCheckResult":
            verdicts = [
                {"claim": number, "supported": True, "note": "It is so."} for number in asked.claims
            ]
            return {"approved": True, "notes": "All is proved.", "verdicts": verdicts}
        case "Report":
            return _report(asked)
        case "Proof":
            lines = [{"line": n, "supported": True, "note": "It is so."} for n in asked.lines]
            return {"verdicts": lines, "contradictions": []}
        case _:
            return {}


def _false_findings(asked: Request) -> list[dict[str, str]]:
    question = asked.question
    places = [*question.sources, *question.near]
    shown = [found for place in places if (found := asked.shown(place))]
    lies = [*question.lies, *ALWAYS]
    false = [
        {"claim": lie, "quote": quote, "source": source}
        for quote, source in shown
        for lie in [*lies, *_twisted(quote)]
    ]
    false += [
        {"claim": twisted, "quote": twisted, "source": source}
        for quote, source in shown
        for twisted in [*question.lies, *_twisted(quote)]
    ]
    # The words of one source, said to be another's.
    return false + [
        {"claim": question.lies[0], "quote": quote, "source": "doc-1"} for quote, _ in shown
    ]


def _twisted(quote: str) -> list[str]:
    """Return a quote with another number, and one without its negation."""
    other = _DIGIT.sub(lambda digit: str((int(digit.group()) + 1) % 10), quote, count=1)
    affirmed = _NEGATION.sub("", quote)
    return [each for each in (other, affirmed) if each != quote]


def _report(asked: Request) -> dict[str, Any]:
    lies = [lie.rstrip(".") for lie in (*asked.question.lies, *ALWAYS)]
    numbers = list(asked.claims) or [1]
    honest = [f"{claim['claim'].rstrip('.')}. [{number}]" for number, claim in asked.claims.items()]
    cited = [f"{lie}. [{number}]" for lie in lies for number in dict.fromkeys(numbers[::-9])]
    bare = [f"{lie}." for lie in lies]
    foreign = [f"{lie}. [99]" for lie in lies]
    joined = [f"{said.partition('. [')[0]}, and {lies[0]}. [1]" for said in honest[:1]]
    return {
        "title": lies[0],
        "summary": " ".join([*cited[:1], *honest[:1], *bare[:1]]),
        "sections": [
            {"heading": lies[0], "body": " ".join([*honest, *cited, *bare, *foreign, *joined])},
            {"heading": lies[-1], "body": " ".join(bare)},
        ],
        "note": "",
    }
