"""What a notice says: enough to know whether and by when one is needed, and where to go."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlencode

from countersign.approvals.hold import Hold
from countersign.approvals.operation import Operation, Proposal
from countersign.approvals.outcome import Outcome
from countersign.approvals.person import Actor
from countersign.approvals.standing import Notice
from countersign.kinds.registry import kind_named
from countersign.operations.names import people_in, told_apart
from countersign.platform.visible import without_deceit

LONGEST_NAME = 120
"""Characters of a title or a person's name, as they are shown here."""

LONGEST_REASON = 1_000
"""Characters of the reason for which an operation ended, as they are shown here."""

_TAMED = {ord(each): ord(each) + 0xFEE0 for each in "<>[]*_`~@|\\"}
_START_OF_ADDRESS = re.compile(r":(?=//)")

_OUTCOMES: Mapping[Outcome, str] = {
    "rejected": "Rejected",
    "expired": "Expired",
    "withdrawn": "Withdrawn",
    "stopped": "Stopped",
    "needs_revision": "Not enough evidence",
    "needs_owner": "Too many versions",
    "over_budget": "Out of budget",
    "write_unknown": "Possibly {done}",
    "failed": "Failed",
}
_REQUEST_AGAIN = "Nothing was {done}. If you still need the {thing}, request it again."
_NOTHING_LEFT = "You do not need to do anything."
_WHAT_IS_LEFT: Mapping[Outcome, str] = {
    "rejected": _NOTHING_LEFT,
    "withdrawn": _NOTHING_LEFT,
    "stopped": _REQUEST_AGAIN,
    "expired": _REQUEST_AGAIN,
    "needs_revision": _REQUEST_AGAIN,
    "over_budget": _REQUEST_AGAIN,
    "failed": _REQUEST_AGAIN,
    "needs_owner": "Nothing was {done}. Hand it over to the person who owns the matter.",
    "write_unknown": "Check {place} before anyone requests it again: its contents may differ"
    " from the approved version.",
}
"""What somebody has to do after an end without a confirmed write."""

_DECISIONS = {"approve": "Approved", "reject": "Rejected", "revise": "Changes requested"}


@dataclass(frozen=True, kw_only=True, slots=True)
class Message:
    """A notice in words.

    No line has a character in it that a service could take for markup, other than in the link.

    Attributes:
        subject: one line.
        lines: the rest.
        link: the address that it is about, None if nobody said where this app is reached.
    """

    subject: str
    lines: tuple[str, ...]
    link: str | None

    @property
    def text(self) -> str:
        """The lines and the link as plain text."""
        return "\n".join([*self.lines, self.link or _NO_LINK])

    @property
    def markdown(self) -> str:
        """The same for services that show nothing else: there a bare address is no link."""
        link = f"[Open it in Countersign](<{self.link}>)" if self.link else _NO_LINK
        return "\n\n".join([*self.lines, link])


_NO_LINK = "Open Countersign to see it."


def message_about(operation: Operation, notice: Notice, home: str | None) -> Message:
    """Put a notice into words.

    Args:
        operation: what it is about; the version of the notice was opened in it.
        notice: what has to be said.
        home: the address of the app without a slash at its end, None if it is not known.
    """
    query = {"operation": operation.id}
    if notice.kind == "held":
        subject, lines = _needs_operator(operation)
    elif notice.kind == "outcome":
        subject, lines = _ended(operation, operation.proposals[notice.version - 1])
    else:
        subject, lines = _waits(operation, operation.proposals[notice.version - 1], notice)
        query["version"] = str(notice.version)
    link = f"{home}/api/review?{urlencode(query)}" if home else None
    return Message(subject=subject, lines=lines, link=link)


def tame(text: str, longest: int = LONGEST_NAME) -> str:
    """Return a text of a stranger as one short line that no service takes for anything but text.

    What hides or turns text is left out, and the signs of which links, mentions and markup are made
    are put in their full-width forms, which look alike.

    Args:
        text: what somebody wrote.
        longest: how many characters are shown.
    """
    line = " ".join(without_deceit(text).split())
    short = line if len(line) <= longest else f"{line[: longest - 1]}…"
    return _START_OF_ADDRESS.sub("\uff1a", short.translate(_TAMED))


def _waits(operation: Operation, proposal: Proposal, notice: Notice) -> tuple[str, tuple[str, ...]]:
    title = f"“{tame(operation.title)}”"
    again = f" (version {proposal.version})" if proposal.version > 1 else ""
    asked = "Countersignature needed" if notice.countersigning else "Decision needed"
    kind = kind_named(operation.kind)
    what = f"Reminder, {notice.percent} % of the time has passed" if notice.percent else asked
    lines = (
        f"Your decision is needed: {title}",
        f"Requested by {_named(operation, operation.requester)}",
        *_amount(proposal),
        *_why_again(operation, proposal),
        *_decisions(operation, proposal),
        f"Version {proposal.version}",
        f"Decide before {_moment(proposal.expires_at)}",
        f"On approval: {kind.consequence} Without approval, nothing is {kind.outcome}.",
        *_approvals_needed(proposal),
    )
    return f"{what}: {title}{again}", lines


def _needs_operator(operation: Operation) -> tuple[str, tuple[str, ...]]:
    title, hold = f"“{tame(operation.title)}”", operation.hold
    assert hold is not None  # noqa: S101 - that is what this notice is about
    tried = "1 attempt has" if hold.tries == 1 else f"{hold.tries} attempts have"
    lines = (
        f"Work on {title} cannot continue until someone who runs the app fixes the cause",
        f"Requested by {_named(operation, operation.requester)}",
        f"Cause: {tame(hold.cause.replace('_', ' '))}",
        tame(hold.reason, LONGEST_REASON),
        f"Since {_moment(hold.since)}, {tried} failed",
        _next_try(hold),
        "The work done so far is kept. Once the cause is fixed, you can retry at once.",
    )
    return f"Needs an operator: {title}", lines


def _next_try(hold: Hold) -> str:
    if hold.next_try is None:
        return "It is retried only on request"
    return f"It is retried automatically from {_moment(hold.next_try)} on"


def _amount(proposal: Proposal) -> tuple[str, ...]:
    return (f"Total: {tame(str(proposal.amount))}",) if proposal.amount else ()


def _approvals_needed(proposal: Proposal) -> tuple[str, ...]:
    """Return how many people it takes, where one is not enough."""
    people = f"{proposal.quorum} people" if proposal.quorum > 1 else "one person"
    if role := proposal.countersigner_role:
        return (f"It needs approvals from {people} and from one more with the role {role}.",)
    return (f"It needs approvals from {people}.",) if proposal.quorum > 1 else ()


def _why_again(operation: Operation, proposal: Proposal) -> tuple[str, ...]:
    if proposal.origin == "draft":
        return ()
    before = operation.proposals[proposal.version - 2]
    if proposal.origin == "escalation":
        role = proposal.required_role
        return (
            f"Nobody decided on version {before.version} in time, so it was escalated to the role"
            f" {role}.",
        )
    reviewer = _named(operation, before.decisions[-1][1].actor)
    if proposal.failure:
        return (
            f"{reviewer} requested changes to version {before.version}, but the text is the same:",
            f"The changes could not be made. {tame(proposal.failure, LONGEST_REASON)}",
        )
    did = "corrected" if proposal.origin == "correction" else "requested changes to"
    return (f"New version: {reviewer} {did} version {before.version}.",)


def _ended(operation: Operation, proposal: Proposal) -> tuple[str, tuple[str, ...]]:
    title = f"“{tame(operation.title)}”"
    closed = operation.closed
    assert closed is not None  # noqa: S101 - that is what this notice is about
    kind = kind_named(operation.kind)
    words = {"thing": kind.words.thing, "place": kind.words.place, "done": kind.outcome}
    outcome = _OUTCOMES.get(closed.outcome, closed.outcome.capitalize()).format_map(words)
    lines = (
        f"{outcome}: {title}",
        f"Requested by {_named(operation, operation.requester)}",
        *_amount(proposal),
        *_decisions(operation, proposal),
        f"Version {proposal.version}",
        *([tame(closed.reason, LONGEST_REASON)] if closed.reason else []),
        _WHAT_IS_LEFT.get(closed.outcome, _NOTHING_LEFT).format_map(words),
    )
    return f"{outcome}: {title}", lines


def _decisions(operation: Operation, proposal: Proposal) -> tuple[str, ...]:
    if operation.withdrawn:
        return (f"Withdrawn by its requester on {_moment(operation.withdrawn.at)}",)
    if operation.stopped:
        who = _named(operation, operation.stopped.actor)
        return (f"Stopped by {who} on {_moment(operation.stopped.at)}",)
    return tuple(
        f"{_DECISIONS[each.decision]} by {_named(operation, each.actor)} on {_moment(each.at)}"
        for _, each in proposal.standing
    )


def _named(operation: Operation, actor: Actor) -> str:
    """Return a person's name, with the end of their id if another's here looks the same."""
    # Cut before they are compared, so that the end of the id is never what is cut.
    shown = {person: tame(name) for person, name in people_in(operation).items()}
    return tame(told_apart(shown)[actor.id], 2 * LONGEST_NAME)


def _moment(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M} UTC"
