"""What activities are given, in a type for both sides of the border; on the wire it is plain JSON.

The Functions worker takes a class as an annotation, such as these are, but no `dict[str, Any]`: it
refuses the function then, and with it all functions of the app.
"""

from __future__ import annotations

from typing_extensions import NotRequired, TypedDict

from countersign.approvals.events import Outcome


class OperationInput(TypedDict):
    """Which operation; `trace` is that of its request, as a `traceparent`."""

    tenant: str
    operation_id: str
    trace: NotRequired[str]


class VersionInput(OperationInput):
    """One version of what an operation proposes, from 1."""

    version: int


class SubtopicInput(OperationInput):
    """One subtopic in one round of research, both from 0."""

    round: int
    subtopic: int


class CheckInput(OperationInput):
    """The check that ends a round (from 0), of which there may be no further one."""

    round: int
    last: bool


class EndingInput(OperationInput):
    """How an operation ends; where nothing is said, its ledger does.

    With `given_up` it doesn't end: its work is left to an operator.
    """

    ends_as: NotRequired[Outcome]
    given_up: NotRequired[bool]
    reason: NotRequired[str]


class QuestionInput(OperationInput):
    """A reviewer's question about a version."""

    question_id: str


class SettlingInput(QuestionInput):
    """The end of a try to have a question answered, of which there may be no further one."""

    last: bool
