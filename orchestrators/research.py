"""The story of a research request: the team works, a person decides, the report goes out."""

from __future__ import annotations

import azure.durable_functions as df

from orchestrators.approval import approved_version, until_closed
from orchestrators.inputs import CheckInput, OperationInput, SubtopicInput, VersionInput
from orchestrators.names import (
    CHECK_FACTS,
    PLAN_RESEARCH,
    PUBLISH_REPORT,
    RESEARCH_SUBTOPIC,
    WRITE_DRAFT,
)
from orchestrators.work import Context, Story, insist, work, work_side_by_side

ROUNDS = 3
"""Research is checked once and may be done again twice."""

blueprint = df.Blueprint()


@blueprint.orchestration_trigger(context_name="context")
def research(context: Context) -> Story:
    """Prepare a report, have it decided, publish it if approved, and close the operation."""
    return (yield from until_closed(context, publish_what_is_found))


def publish_what_is_found(context: Context, order: OperationInput) -> Story:
    """Everything between the request and the closing."""

    def draft(version: VersionInput) -> Story:
        return work(context, WRITE_DRAFT, version)

    yield from prepare_report(context, order)
    yield from draft({**order, "version": 1})
    if approved := (yield from approved_version(context, order, draft)):
        yield from insist(context, PUBLISH_REPORT, approved)


def prepare_report(context: Context, order: OperationInput) -> Story:
    """Plan, research the subtopics side by side, and check the facts."""
    plan = yield from work(context, PLAN_RESEARCH, order)
    again, number, approved = list(range(plan["subtopics"])), 0, False
    while not approved:
        subtopics: list[SubtopicInput] = [
            {**order, "round": number, "subtopic": subtopic} for subtopic in again
        ]
        yield from work_side_by_side(context, RESEARCH_SUBTOPIC, subtopics)
        number += 1
        checking: CheckInput = {**order, "round": number - 1, "last": number == ROUNDS}
        check = yield from work(context, CHECK_FACTS, checking)
        again, approved = check["again"], check["approved"]
