"""A scripted model that knows the answers, and has the habits of strong models.

It copies quotes as it was shown them, says only what is true, and puts its JSON in whatever strong
models put theirs in.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from bench.evidence.chat_server import Answer, priced
from bench.evidence.labels import Question
from bench.evidence.plain import normal
from bench.evidence.script import Request, read

HABITS: Sequence[Callable[[str], str]] = (
    lambda answer: answer,
    lambda answer: f"```json\n{answer}\n```",
    lambda answer: f"```json {answer} ```",
    lambda answer: (
        f"Here is the JSON you asked for:\n\n```\n{answer}\n```\n\nTell me if I can help."
    ),
    lambda answer: f"<think>The sources have to be quoted exactly.</think>\n{answer}",
    lambda answer: f"\ufeff{answer}",
    lambda answer: f'{answer[:-1]}, "confidence": 0.97}}',
    lambda answer: f"{answer}\n{answer}",
    lambda answer: f"{answer[:-1]},}}",
)


class Strong:
    """Answers each role as a careful person would.

    Args:
        questions: What may be asked.
        seed: What its habits are drawn by.
    """

    def __init__(self, questions: Sequence[Question], seed: int) -> None:
        self._questions = questions
        self._random = Random(seed)  # noqa: S311 - a draw that can be repeated

    def __call__(self, request: dict[str, Any]) -> Answer:
        """Answer one request."""
        asked = read(request, self._questions)
        form = _answer(asked) if asked else {}
        habit = self._random.choice(HABITS)
        return priced(request, habit(json.dumps(form, ensure_ascii=False)))


def _answer(asked: Request) -> dict[str, Any]:
    match asked.form:
        case "Plan":
            return {"subtopics": [asked.question.text]}
        case "Research" | "Findings":
            return {"findings": findings(asked), "look_up": []}
        case "FactCheckResult":
            return _verdicts(asked)
        case "Report":
            return _report(asked)
        case "Proof":
            return _proof(asked)
        case _:
            return {}


def findings(asked: Request) -> list[dict[str, str]]:
    """Return the true claims that were shown, with their quotes."""
    question = asked.question
    return [
        {"claim": truth, "quote": found[0], "source": found[1]}
        for truth, place in zip(question.truths, question.sources, strict=True)
        if (found := asked.shown(place))
    ]


def _verdicts(asked: Request) -> dict[str, Any]:
    verdicts = [
        {
            # As text, in every other answer.
            "claim": str(number) if number % 2 else number,
            "supported": claim["claim"] in asked.question.truths,
            "note": "The quote says so in as many words.",
        }
        for number, claim in asked.claims.items()
    ]
    approved = any(verdict["supported"] for verdict in verdicts)
    return {"approved": approved, "notes": "All parts are answered.", "verdicts": verdicts}


def _proof(asked: Request) -> dict[str, Any]:
    question = asked.question
    sound = {normal(said).rstrip(".") for said in (question.text, *question.truths)}
    verdicts = [
        {"line": number, "supported": normal(text).rstrip(".") in sound, "note": "Compared."}
        for number, text in asked.lines.items()
    ]
    return {"verdicts": verdicts, "contradictions": []}


def _report(asked: Request) -> dict[str, Any]:
    said = [f"{claim['claim'].rstrip('.')}. [{number}]" for number, claim in asked.claims.items()]
    return {
        "title": asked.question.text,
        "summary": said[0] if said else "",
        "sections": [{"heading": asked.question.text, "body": " ".join(said)}],
        "note": "",
    }
