"""Who has to approve a version, and who has, told from the events alone."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TypeVar

from countersign.approvals.events import (
    ApprovalTakenBack,
    CommentsAdded,
    DecisionRecorded,
    Event,
    OperationStarted,
    ProposalOpened,
)

E = TypeVar("E", bound=Event)


@dataclass(frozen=True, kw_only=True)
class Seats:
    """The seats of each version of an operation, and who has taken them.

    Attributes:
        events: the ledger.
        roles: which roles the people of the operation's tenant have.
    """

    events: Sequence[Event]
    roles: Mapping[str, frozenset[str]]

    def suffices(self, opened: ProposalOpened, people: Collection[str]) -> bool:
        """Whether the approval of these people is that of a version."""
        alone = any(set(people) == {one} for one in self.correctors(opened))
        return self.takes_all_seats(opened, people) and not alone

    def asked(self, opened: ProposalOpened) -> set[str]:
        """The roles in which somebody decides about a version."""
        asked = {opened.required_role, opened.asked_before, self.seats(opened)[1]}
        return {role for role in asked if role}

    def takes_all_seats(self, opened: ProposalOpened, people: Collection[str]) -> bool:
        """Whether there is somebody for each seat of a version, nobody on two."""
        quorum, countersigner = self.seats(opened)
        asked_first = {opened.required_role, opened.asked_before}
        first = {one for one in people if asked_first & self.roles[one]}
        if countersigner is None:
            return len(first) >= quorum
        second = {one for one in people if countersigner in self.roles[one]}
        return any(len(first - {one}) >= quorum for one in second)

    def lacks_only_its_countersigner(self, opened: ProposalOpened, events: Sequence[Event]) -> bool:
        """Whether by then nobody of the role that is asked last had approved, and all others."""
        quorum, countersigner = self.seats(opened)
        people = self.approving(opened, events)
        asked_from_the_start = {None, opened.required_role, opened.asked_before}
        if countersigner in asked_from_the_start:
            return False
        asked_last = any(countersigner in self.roles[one] for one in people)
        return len(people) >= quorum and not asked_last

    def seats(self, opened: ProposalOpened) -> tuple[int, str | None]:
        """How many have to approve a version in the role asked first, and in which one more.

        What the dearest version so far takes counts.
        """
        policy = self.started.policy
        versions = [each for each in self.all(ProposalOpened) if each.version <= opened.version]
        cost = max(
            (cost for each in versions if (cost := self.cost(each)) is not None), default=None
        )
        quorum, countersigner = policy.quorum, None
        for tier in policy.tiers:
            if cost is not None and cost > tier.above:
                quorum, countersigner = max(quorum, tier.quorum), tier.countersigner_role
        return quorum, countersigner

    def approving(self, opened: ProposalOpened, events: Sequence[Event]) -> set[str]:
        """Whose approval a version has, according to these events."""
        return {
            event.actor.id
            for event in (*self.kept(opened), *events)
            if isinstance(event, DecisionRecorded)
            and event.decision == "approve"
            and (event.version == opened.version or event in self.kept(opened))
            and not self.taken_back(event, events)
        }

    def kept(self, opened: ProposalOpened) -> list[DecisionRecorded]:
        """The approvals of an expired version that count for this one."""
        kept = [self.events[sequence - 1] for sequence in opened.kept]
        decisions = [event for event in kept if isinstance(event, DecisionRecorded)]
        assert decisions == kept
        return decisions

    def taken_back(self, decision: Event, events: Sequence[Event]) -> bool:
        """Whether a decision was taken back, according to these events."""
        sequence = next(n for n, event in enumerate(self.events, 1) if event is decision)
        taken = [event for event in events if isinstance(event, ApprovalTakenBack)]
        return any(event.approval == sequence for event in taken)

    def correctors(self, opened: ProposalOpened) -> set[str]:
        """Who went beyond some version before, or said something that the team then followed."""
        followed = [
            event
            for event in self.all(DecisionRecorded)
            if event.version < opened.version and self.has_its_way(event)
        ]
        versions = {event.version for event in followed if event.correction is None}
        said = [event for event in self.all(CommentsAdded) if event.version in versions]
        return {event.actor.id for event in (*followed, *said)}

    def has_its_way(self, decision: DecisionRecorded) -> bool:
        """Whether a decision made the version after it what the reviewer wanted, and more."""
        before = self.opened(decision.version)
        if decision.correction is not None:
            return self.goes_beyond(before.content, decision.correction)
        after = [each for each in self.all(ProposalOpened) if each.version == before.version + 1]
        return decision.decision == "revise" and all(each.origin == "revision" for each in after)

    def goes_beyond(self, before: str, after: str) -> bool:
        """Whether a content is more than another; of a text nobody can tell."""
        if not self.is_purchase:
            return True
        vendor, pieces, price = before.split()
        new_vendor, new_pieces, new_price = after.split()
        more = int(new_pieces) > int(pieces) or Decimal(new_price) > Decimal(price)
        return more or new_vendor != vendor

    def cost(self, opened: ProposalOpened) -> Decimal | None:
        """What a version costs, by its content; None where that costs nothing."""
        if not self.is_purchase:
            return None
        _, pieces, price = opened.content.split()
        return int(pieces) * Decimal(price)

    def all(self, kind: type[E]) -> list[E]:
        return [event for event in self.events if isinstance(event, kind)]

    def opened(self, version: int) -> ProposalOpened:
        return self.all(ProposalOpened)[version - 1]

    @property
    def started(self) -> OperationStarted:
        return self.all(OperationStarted)[0]

    @property
    def is_purchase(self) -> bool:
        return self.started.kind == "purchase"
