"""What the embedded model answers to a writer's question."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from operator import attrgetter
from typing import Any

from countersign.sources.terms import terms
from countersign.team.extractive.research import overall
from countersign.team.extractive.revision import Revision, revised
from countersign.team.extractive.statements import Statement
from countersign.team.extractive.vocabulary import specificity, topic_terms
from countersign.team.models import LONGEST_TOPIC, Report, Section
from countersign.team.wish import Wish

OVERVIEW = "Overview"
MOST_IN_SUMMARY = 3


def report(topic: str, claims: Sequence[Mapping[str, Any]], wish: Wish | None = None) -> Report:
    """Arrange the claims as a report; each sentence about the topic is a quote.

    Args:
        topic: What the report is on.
        claims: `{number, claim, subtopic, source}` each, in the order of the plan.
        wish: What a reviewer wants changed.
    """
    statements = _under_headings([Statement.from_question(claim) for claim in claims], topic)
    revision = Revision(statements=statements, note="")
    if wish:
        revision = revised(statements, wish)
    return Report(
        title=_capitalised(topic),
        summary=_summary(revision.statements, topic),
        sections=[
            Section(heading=_capitalised(subtopic), body=_body(group))
            for subtopic, group in _grouped(revision.statements, attrgetter("subtopic")).items()
        ],
        note=revision.note,
        answers=list(revision.answers),
    )


def _under_headings(statements: Sequence[Statement], topic: str) -> list[Statement]:
    """Give what was found for the topic as a whole to the source that says more than one thing.

    A section on one source reads well; so does an overview of single statements of several.
    """
    planned = {statement.subtopic for statement in statements}
    said = Counter(each.source for each in statements if each.subtopic == overall(topic))

    def heading(statement: Statement) -> str:
        if statement.subtopic != overall(topic):
            return statement.subtopic
        own = said[statement.source] > 1 or statement.source in planned
        return statement.source if own else OVERVIEW

    def order(statement: Statement) -> tuple[bool, bool]:
        return statement.subtopic != OVERVIEW, statement.subtopic not in planned

    headed = [replace(statement, subtopic=heading(statement)) for statement in statements]
    return sorted(headed, key=order)


def _grouped(
    statements: Iterable[Statement], by: Callable[[Statement], str]
) -> dict[str, list[Statement]]:
    groups: dict[str, list[Statement]] = {}
    for statement in statements:
        groups.setdefault(by(statement), []).append(statement)
    return groups


def _summary(statements: Sequence[Statement], topic: str) -> str:
    most = max(1, min(MOST_IN_SUMMARY, len(statements) // 3))
    about = topic_terms(topic)
    said = Counter(statement.source for statement in statements)

    def closeness(statement: Statement) -> tuple[float, int]:
        return specificity(about.intersection(terms(statement.claim))), said[statement.source]

    closest = sorted(statements, key=closeness, reverse=True)[:most]
    return " ".join(each.cited for each in statements if each in closest)


def _body(statements: Iterable[Statement]) -> str:
    # What one source says makes one paragraph.
    paragraphs = _grouped(statements, attrgetter("source")).values()
    return "\n\n".join(" ".join(each.cited for each in paragraph) for paragraph in paragraphs)


def _capitalised(text: str) -> str:
    trimmed = text.strip().rstrip(".?!") or text.strip()
    return (trimmed[:1].upper() + trimmed[1:])[:LONGEST_TOPIC]
