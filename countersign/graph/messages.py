"""What goes along the edges of the graph: plain JSON about one operation, never a text of it."""

from __future__ import annotations

from typing import Any, TypeAlias, TypeVar

from countersign.graph.errors import NeedsOperator
from countersign.steps.records import Done, Stop, VersionWork, Wait, Work, to_json

AsPlanned = TypeVar("AsPlanned", bound=Done)

Message: TypeAlias = dict[str, Any]
"""`tenant` and `operation_id`, and what the next step has to know."""

LANES = 6
"""How many researchers work at once.

Part of the graph's shape whatever the plan says: where there are more subtopics each takes several,
where there are fewer some have nothing to do.
"""


def beginning(tenant: str, operation_id: str) -> Message:
    """The message that a graph begins with."""
    return {"tenant": tenant, "operation_id": operation_id}


def work_of(message: Message) -> Work:
    """Work on the operation that a message is about."""
    return Work(tenant=message["tenant"], operation_id=message["operation_id"])


def version_of(message: Message) -> VersionWork:
    """Work on the version that a message is about."""
    return VersionWork.of(work_of(message), version=message["version"])


def about(message: Message, **more: Any) -> Message:
    """A message about the same operation."""
    return {**beginning(message["tenant"], message["operation_id"]), **more}


def passed_on(message: Message, result: Done | Wait | Stop, **more: Any) -> Message:
    """What a step sends on: how the operation ends, if it does, else what comes next.

    Raises:
        NeedsOperator: nothing does: the step waits for an operator.
    """
    result = carried_out(result)
    return about(message, **(to_json(result) if isinstance(result, Stop) else more))


def carried_out(result: AsPlanned | Wait | Stop) -> AsPlanned | Stop:
    """The result of a step that was carried out, or can't be any more.

    Raises:
        NeedsOperator: the step waits for an operator.
    """
    if isinstance(result, Wait):
        raise NeedsOperator("the work waits for an operator")
    return result


def ends(message: Message) -> bool:
    """Whether the operation ends here."""
    return "ends_as" in message


def lacks_support(message: Message) -> bool:
    """Whether it ends because the sources do not carry a report."""
    return message.get("ends_as") == "needs_revision"


def goes_on_researching(message: Message) -> bool:
    """Whether some subtopics are to be researched once more."""
    return "again" in message


def is_approved(message: Message) -> bool:
    """Whether the version that this is about may go out."""
    return message.get("next") == "publish"


def asks_for_revision(message: Message) -> bool:
    """Whether another version has to be written."""
    return message.get("next") == "revise"
