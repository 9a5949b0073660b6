"""The story of a research request: the team works, a person decides, the report goes out."""

from __future__ import annotations

from typing import Any

import azure.durable_functions as df

from countersign.steps.records import (
    Checked,
    CheckWork,
    Closed,
    Made,
    Planned,
    Round,
    SubtopicWork,
    VersionWork,
    Work,
)
from orchestrators.names import (
    CHECK_FACTS,
    PLAN_RESEARCH,
    PUBLISH_REPORT,
    RESEARCH_SUBTOPIC,
    WRITE_DRAFT,
)
from orchestrators.story import (
    Context,
    Story,
    approved_version,
    perform,
    perform_side_by_side,
    until_closed,
    written,
)

blueprint = df.Blueprint()


@blueprint.orchestration_trigger(context_name="context")
def research(context: Context) -> Story[dict[str, Any]]:
    """Prepare a report, have it decided, publish it if approved, and close the operation."""
    return (yield from until_closed(context, publish_what_is_found))


def publish_what_is_found(context: Context, work: Work) -> Story[Closed | None]:
    """Everything between the request and the closing."""

    def draft(version: VersionWork) -> Story[Made]:
        return (yield from perform(context, WRITE_DRAFT, version, Made))

    yield from prepare_report(context, work)
    made = yield from draft(VersionWork.of(work, version=1))
    if approved := (yield from approved_version(context, work, draft, made=made)):
        return (yield from written(context, PUBLISH_REPORT, approved))
    return None


def prepare_report(context: Context, work: Work) -> Story[None]:
    """Plan, research the subtopics side by side, and check the facts."""
    planned = yield from perform(context, PLAN_RESEARCH, work, Planned)
    coming: Round | None = Round.first(planned)
    while coming:
        number = coming.number
        subtopics = [
            SubtopicWork.of(work, round=number, subtopic=each) for each in coming.subtopics
        ]
        yield from perform_side_by_side(context, RESEARCH_SUBTOPIC, subtopics)
        check = CheckWork.of(work, round=number, last=coming.is_last)
        coming = coming.after((yield from perform(context, CHECK_FACTS, check, Checked)))
