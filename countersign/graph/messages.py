"""What goes along the edges of the graph: plain JSON about one operation, never a text of it."""

from __future__ import annotations

from typing import Any, TypeAlias

from countersign.graph.errors import WaitsForOperator
from countersign.steps.records import AsPlanned, Done, Stop, VersionWork, Wait, Work, to_json

StepMessage: TypeAlias = dict[str, Any]
"""`tenant` and `operation_id`, and what the next step has to know."""

LANES = 6
"""How many researchers work at once.

Part of the graph's shape whatever the plan says: where there are more subtopics each takes several,
where there are fewer some have nothing to do.
"""


def beginning(tenant: str, operation_id: str) -> StepMessage:
    """Return the message that a graph begins with."""
    return {"tenant": tenant, "operation_id": operation_id}


def work_of(message: StepMessage) -> Work:
    """Work on the operation that a message is about."""
    return Work(tenant=message["tenant"], operation_id=message["operation_id"])


def version_of(message: StepMessage) -> VersionWork:
    """Work on the version that a message is about."""
    return VersionWork.of(work_of(message), version=message["version"])


def about(message: StepMessage, **more: Any) -> StepMessage:
    """Return a message about the same operation."""
    return {**beginning(message["tenant"], message["operation_id"]), **more}


def passed_on(message: StepMessage, result: Done | Wait | Stop, **more: Any) -> StepMessage:
    """Return the message that a step sends on: the operation's end, or the next step.

    Raises:
        WaitsForOperator: nothing does: the step waits for an operator.
    """
    result = carried_out(result)
    return about(message, **(to_json(result) if isinstance(result, Stop) else more))


def carried_out(result: AsPlanned | Wait | Stop) -> AsPlanned | Stop:
    """Return the result of a step that was carried out, or can't be any more.

    Raises:
        WaitsForOperator: the step waits for an operator.
    """
    if isinstance(result, Wait):
        raise WaitsForOperator("the work waits for an operator")
    return result


def ends(message: StepMessage) -> bool:
    """Return whether the operation ends here."""
    return "ends_as" in message


def lacks_support(message: StepMessage) -> bool:
    """Return whether it ends because the sources do not carry a report."""
    return message.get("ends_as") == "needs_revision"


def goes_on_researching(message: StepMessage) -> bool:
    """Return whether some subtopics are to be researched once more."""
    return "again" in message


def is_approved(message: StepMessage) -> bool:
    """Return whether the version that this is about may go out."""
    return message.get("next") == "publish"


def asks_for_revision(message: StepMessage) -> bool:
    """Return whether another version has to be written."""
    return message.get("next") == "revise"
