"""All that sets one kind of operation apart, as one record; the rest is the same for each."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

from countersign.stores.artifacts import DamagedArtifact

if TYPE_CHECKING:
    from countersign.approvals.operation import Operation
    from countersign.approvals.outcome import Outcome
    from countersign.approvals.policy import Policy
    from countersign.bodies.body import DecisionBody, RequestBody
    from countersign.bodies.content import Content
    from countersign.destinations.destination import Destination
    from countersign.services import Services
    from countersign.settings import Settings
    from countersign.stores.artifacts import Artifacts

RequestModel = TypeVar("RequestModel", bound="RequestBody")
DecisionModel = TypeVar("DecisionModel", bound="DecisionBody[Any]")
Offered = TypeVar("Offered", bound="Content")


@dataclass(frozen=True, kw_only=True, slots=True)
class Roles:
    """Who has to do with operations of a kind, by the roles that tokens carry.

    Attributes:
        request: who may ask for one.
        decide: who decides about its versions.
        escalate: who decides where that takes somebody else.
        further: others whom a policy may ask to decide.
    """

    request: str
    decide: str
    escalate: str
    further: tuple[str, ...] = ()

    @property
    def deciding(self) -> tuple[str, ...]:
        """The roles of those who may be asked to decide."""
        return self.decide, self.escalate, *self.further


@dataclass(frozen=True, kw_only=True, slots=True)
class Stages:
    """The stages that a kind has of its own, by their names.

    Attributes:
        preparing: those before the first version, in their order.
        current: which of them an operation is in.
        writing: the one after an approval.
    """

    preparing: tuple[str, ...]
    current: Callable[[Operation], str]
    writing: str


@dataclass(frozen=True, kw_only=True, slots=True)
class NoticeWords:
    """What notices call things.

    Attributes:
        thing: what is asked for, such as "report".
        place: where it goes, such as "the purchasing system".
    """

    thing: str
    place: str


async def _nothing_quoted(_decision: DecisionBody[Any], _content: Content) -> Mapping[str, str]:
    return {}


@dataclass(frozen=True, kw_only=True, slots=True)
class Kind(Generic[RequestModel, DecisionModel, Offered]):
    """One kind of operation.

    Models are named by functions that import them: to build them would slow every start down.

    Attributes:
        name: lower-case letters, which the ids of its operations begin with; its orchestrator is
            registered under the same name.
        outcome: as what its operations end once the write is confirmed; a participle such as
            "published", because notices use it as a word too.
        consequence: a sentence that says what follows from an approval.
        roles: who has to do with it.
        stages: those that it has of its own.
        words: what notices call things.
        request_body: what a request carries.
        decision_body: what a decision carries.
        content: what is offered for approval.
        policy: the terms of the approval that a request gets.
        destination: where approved content goes; raises `SettingsError` if none is set.
        html: a content as a browser may show it; None if it is shown by its fields.
        differences: what is different in a later content (the second), as JSON.
        misquoted: the fields of a decision that quote a content falsely, each with the reason.
        fault: the field of a content that the settings don't allow, and why; None if they do.
    """

    name: str
    outcome: Outcome
    consequence: str
    roles: Roles
    stages: Stages
    words: NoticeWords
    request_body: Callable[[], type[RequestModel]]
    decision_body: Callable[[], type[DecisionModel]]
    content: Callable[[], type[Offered]]
    policy: Callable[[RequestModel, Settings], Policy]
    destination: Callable[[Services], Destination]
    html: Callable[[Offered], Awaitable[str | None]]
    differences: Callable[[Offered, Offered], Awaitable[Mapping[str, Any]]]
    misquoted: Callable[[DecisionModel, Offered], Awaitable[Mapping[str, str]]] = _nothing_quoted
    fault: Callable[[Offered, Settings], tuple[str, str] | None] = lambda _content, _settings: None

    async def read(self, artifacts: Artifacts, shelf: str, reference: str) -> Offered:
        """Return the content that is stored under a reference.

        Raises:
            ArtifactError: It is missing or damaged, or what is stored is no content of this kind.
        """
        stored = await artifacts.get(shelf, reference)
        try:
            return self.content().read(stored)
        except ValueError as error:
            raise DamagedArtifact(f"{reference} is not the content of a {self.name}") from error


AnyKind: TypeAlias = Kind[Any, Any, Any]
