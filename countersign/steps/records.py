"""What a step is given, and what comes of it.

Between an orchestration and its activities both are plain JSON, small, and never a text of the work
itself. `to_json` makes it, `read` and `read_result` read it, and nobody else looks into it.
Orchestrations use all this, so it may depend on nothing but what it is given.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Final, TypeAlias, TypeVar

from typing_extensions import Self

from countersign.approvals.outcome import Outcome
from countersign.approvals.standing import Next

ROUNDS: Final = 3
"""Research is checked once and may be done again twice."""

LONGEST_REASON = 1_500
"""Characters of a reason as JSON, where those beyond ASCII take six or twelve.

A reason goes through an orchestration's history to the activity that closes the operation. There
every quotation mark is escaped twice and every character counts two bytes, of which no payload may
have more than 8 KB.
"""


@dataclass(frozen=True, kw_only=True, slots=True)
class Work:
    """Which operation a step works on; `trace` is that of its request, as a `traceparent`."""

    tenant: str
    operation_id: str
    trace: str | None = None

    @classmethod
    def of(cls, work: Work, **more: Any) -> Self:
        """Work on the same operation, with what else this kind of work has to know."""
        return cls(tenant=work.tenant, operation_id=work.operation_id, trace=work.trace, **more)


@dataclass(frozen=True, kw_only=True, slots=True)
class VersionWork(Work):
    """Work on one version of what an operation proposes, from 1."""

    version: int


@dataclass(frozen=True, kw_only=True, slots=True)
class SubtopicWork(Work):
    """Research of one subtopic in one round, both from 0."""

    round: int
    subtopic: int


@dataclass(frozen=True, kw_only=True, slots=True)
class CheckWork(Work):
    """The check that ends a round of research (from 0), and whether that was the last one."""

    round: int
    last: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class ClosingWork(Work):
    """How an operation ends; where nothing is said, its ledger does.

    With `given_up` it doesn't end: its work is left to an operator.
    """

    ends_as: Outcome | None = None
    given_up: bool | None = None
    reason: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class QuestionWork(Work):
    """A reviewer's question about a version."""

    question_id: str


@dataclass(frozen=True, kw_only=True, slots=True)
class SessionWork(QuestionWork):
    """A reviewer's question, and the session of the fact-checker's that it is part of."""

    session: str


@dataclass(frozen=True, kw_only=True, slots=True)
class SettlingWork(QuestionWork):
    """The end of a try to have a question answered, and whether that was the last one."""

    last: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class Done:
    """A step is done."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Planned(Done):
    """The topic is cut into so many subtopics."""

    subtopics: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Checked(Done):
    """A round of research was judged: good enough, or what to research again (from 0)."""

    approved: bool
    again: Sequence[int] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Opened(Done):
    """A version waits for its decision, or did; `next` is what its ledger asks for by now.

    It is None in the histories of earlier releases, whose stories always went on to the gate.
    """

    version: int
    next: Next | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Made(Done):
    """A version is made, and offered if `next` is told: what its ledger asks for by now.

    In the histories of earlier releases nothing is offered yet.
    """

    next: Next | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Written(Done):
    """What was approved is at its destination, whichever that is, and its operation closed.

    Attributes:
        outcome: as what it was closed; None in the histories of earlier releases, where a step of
            its own does that.
        news: whether people have to hear of it.
    """

    published: bool = True
    outcome: str | None = None
    news: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Wait:
    """The work waits for an operator, as the ledger says; `news`: people have to hear of it."""

    news: bool
    held: bool = True


@dataclass(frozen=True, kw_only=True, slots=True)
class Stop:
    """The operation ends: as what, and a sentence for people, of which only the beginning is kept.

    Attributes:
        ends_as: the outcome.
        reason: why.
    """

    ends_as: Outcome
    reason: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "reason", _beginning(self.reason))


@dataclass(frozen=True, kw_only=True, slots=True)
class Settled:
    """What a version's ledger asks for; while it waits, when to look again (RFC 3339, UTC)."""

    next: Next
    wake_at: str | None = None
    news: bool | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Closed:
    """How an operation ended, or that it needs an operator; `news`: people have to hear of it."""

    outcome: str
    news: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class QuestionSettled:
    """Whether a question has its answer, or will get none."""

    settled: bool


Result: TypeAlias = Done | Wait | Stop | Settled | Closed | QuestionSettled
StepRecord = TypeVar("StepRecord", bound=Work | Result)
AsPlanned = TypeVar("AsPlanned", bound=Done)


def to_json(record: Work | Result) -> dict[str, Any]:
    """Return a record as it goes over the wire: what it leaves open is left out."""
    values = {field.name: getattr(record, field.name) for field in fields(record)}
    return {name: value for name, value in values.items() if value is not None}


def read(kind: type[StepRecord], said: Mapping[str, Any]) -> StepRecord:
    """Return the record that came over the wire, without what only another release knows.

    Raises:
        TypeError: something is missing.
    """
    known = {field.name for field in fields(kind)}
    return kind(**{name: value for name, value in said.items() if name in known})


def read_result(done: type[AsPlanned], said: Mapping[str, Any]) -> AsPlanned | Wait | Stop:
    """Return what came of a step: the record of what it is to do, or why the work doesn't go on.

    Raises:
        TypeError: something is missing.
    """
    if "ends_as" in said:
        return read(Stop, said)
    return read(Wait, said) if "held" in said else read(done, said)


def _beginning(reason: str) -> str:
    while (size := len(json.dumps(reason))) > LONGEST_REASON:
        reason = reason[: len(reason) * LONGEST_REASON // size]
    return reason


@dataclass(frozen=True, kw_only=True, slots=True)
class Round:
    """One round of research, which a check ends.

    Attributes:
        number: from 0.
        subtopics: those to research in it, from 0.
    """

    number: int = 0
    subtopics: Sequence[int]

    @classmethod
    def first(cls, planned: Planned) -> Self:
        """Return the round that researches everything."""
        return cls(subtopics=range(planned.subtopics))

    @property
    def is_last(self) -> bool:
        """Whether its check has to say yes or no for good."""
        return self.number + 1 == ROUNDS

    def after(self, checked: Checked) -> Round | None:
        """Return the next round, None where the check found this one good enough."""
        if checked.approved:
            return None
        return Round(number=self.number + 1, subtopics=checked.again)
