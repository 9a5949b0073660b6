"""What the embedded model answers to a writer's question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

from countersign.team.extractive.revision import Revision, revised
from countersign.team.extractive.statements import Statement
from countersign.team.models import Report, Section

OVERVIEW = "Overview"
MOST_IN_SUMMARY = 3


def report(topic: str, claims: Sequence[Mapping[str, Any]], comment: str | None) -> Report:
    """Arrange the claims as a report; each sentence of it is a quote.

    Args:
        topic: What the report is on.
        claims: `{number, claim, subtopic, source}` each, in the order of the plan.
        comment: What a reviewer wants changed.
    """
    statements = [Statement.from_question(claim) for claim in claims]
    revision = revised(statements, comment) if comment else Revision(statements=statements, note="")
    by_subtopic = _by_subtopic(revision.statements)
    return Report(
        title=_capitalised(topic),
        summary=_summary(by_subtopic),
        sections=[
            Section(heading=_heading(subtopic, topic), body=_body(group))
            for subtopic, group in by_subtopic.items()
        ],
        note=revision.note,
    )


def _by_subtopic(statements: Sequence[Statement]) -> dict[str, list[Statement]]:
    groups: dict[str, list[Statement]] = {}
    for statement in statements:
        groups.setdefault(statement.subtopic, []).append(statement)
    return groups


def _summary(by_subtopic: Mapping[str, Sequence[Statement]]) -> str:
    firsts = [group[0] for group in by_subtopic.values()][:MOST_IN_SUMMARY]
    return " ".join(statement.cited for statement in firsts)


def _body(group: Sequence[Statement]) -> str:
    # What one source says makes one paragraph.
    paragraphs = groupby(group, key=lambda statement: statement.source)
    return "\n\n".join(
        " ".join(statement.cited for statement in paragraph) for _, paragraph in paragraphs
    )


def _heading(subtopic: str, topic: str) -> str:
    return OVERVIEW if subtopic == topic else _capitalised(subtopic)


def _capitalised(text: str) -> str:
    trimmed = text.strip().rstrip(".?!")
    return (trimmed[:1].upper() + trimmed[1:])[:200]
