"""What can happen to an operation; the ledger is a list of these and nothing else is true."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias

from countersign.approvals.evidence_count import EvidenceCount
from countersign.approvals.money import Money
from countersign.approvals.outcome import Outcome
from countersign.approvals.passkey import PasskeySignature
from countersign.approvals.person import Actor
from countersign.approvals.policy import Policy

Decision: TypeAlias = Literal["approve", "reject", "revise"]
VersionOrigin: TypeAlias = Literal["draft", "revision", "correction", "escalation", "unchanged"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Happening:
    """What every event has: its moment (UTC) and its actor."""

    at: datetime
    actor: Actor


@dataclass(frozen=True, kw_only=True, slots=True)
class OperationStarted(Happening):
    """A person asked for something; `request` refers to the stored request.

    The names, texts and artifacts of an `erasable` operation can be erased.
    """

    kind: str
    title: str
    request: str
    policy: Policy
    erasable: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class WorkPlanned(Happening):
    """The work was cut into subtopics."""

    subtopics: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class WorkDone(Happening):
    """One step of the work has a stored result."""

    step: str
    result: str


@dataclass(frozen=True, kw_only=True, slots=True)
class ModelCalled(Happening):
    """A model answered, whatever its answer was good for; this is what it cost.

    `prompt` is the SHA-256 of the instructions that it was given, None where that was not recorded.
    """

    step: str
    tokens: int
    prompt: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class WorkHeld(Happening):
    """A try of a step failed for a cause that can be removed, so the step is tried again.

    So many `tries` have failed in a row by now. The next one begins at `next_try` (UTC) or, if that
    is None, when somebody asks for it. With `needs_operator` it isn't to be expected that the cause
    passes by itself. `step` is None where it isn't known which one it was.
    """

    step: str | None
    cause: str
    reason: str
    tries: int
    next_try: datetime | None
    needs_operator: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class RetryRequested(Happening):
    """A person wants the work that waits for an operator to be tried again now."""


@dataclass(frozen=True, kw_only=True, slots=True)
class WorkResumed(Happening):
    """The step that had failed is done."""

    step: str


@dataclass(frozen=True, kw_only=True, slots=True)
class RevisionFailed(Happening):
    """What a reviewer wanted changed in this version can't be done; its text is offered again."""

    version: int
    reason: str


@dataclass(frozen=True, kw_only=True, slots=True)
class ProposalOpened(Happening):
    """A version waits for a decision until `expires_at` (UTC).

    It takes approvals by as many people as its `quorum` says in the required role (None: as many as
    the policy says) and, if a countersigner's role is named, by one more in that. From here on the
    operation is called by the `title`, unless it keeps the one that it has (None).

    After an escalation the people of the role that was `asked_before` may approve as well, and the
    approvals of the expired version that are `kept` (their sequences) count for this one.

    `evidence_count` is None without evidence, and in rows of earlier releases.
    """

    version: int
    digest: str
    content: str
    evidence: str | None
    origin: VersionOrigin
    expires_at: datetime
    required_role: str
    correctors: tuple[str, ...] = ()
    quorum: int | None = None
    countersigner_role: str | None = None
    amount: Money | None = None
    title: str | None = None
    asked_before: str | None = None
    kept: tuple[int, ...] = ()
    evidence_count: EvidenceCount | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class DecisionRecorded(Happening):
    """A reviewer decided about one version and its digest.

    `roles` are those of the asked ones that the reviewer had. `comments` refers to what they said
    about passages of it, if they did. `passkey` is None if they did not sign it themselves.
    """

    version: int
    digest: str
    decision: Decision
    comment: str = ""
    correction: str | None = None
    roles: tuple[str, ...] = ()
    comments: str | None = None
    passkey: PasskeySignature | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class CommentsAdded(Happening):
    """A reviewer commented on passages of a version and its digest; that decides nothing.

    `comments` refers to what they said, `count` is how many comments that is.
    """

    version: int
    digest: str
    comments: str
    count: int


@dataclass(frozen=True, kw_only=True, slots=True)
class CommentResolved(Happening):
    """A person resolved the comment with this number (from 1) on a passage of a version."""

    version: int
    comment: int


@dataclass(frozen=True, kw_only=True, slots=True)
class ApprovalTakenBack(Happening):
    """An approver took back the `approval` that has this sequence, while others were waited for."""

    version: int
    approval: int


@dataclass(frozen=True, kw_only=True, slots=True)
class ProposalApproved(Happening):
    """Enough people approved this version."""

    version: int


@dataclass(frozen=True, kw_only=True, slots=True)
class ProposalRejected(Happening):
    """One person rejected this version, which ends it."""

    version: int


@dataclass(frozen=True, kw_only=True, slots=True)
class ProposalSuperseded(Happening):
    """A reviewer asked for changes, so another version takes this one's place."""

    version: int


@dataclass(frozen=True, kw_only=True, slots=True)
class ProposalExpired(Happening):
    """It was not decided in time; `escalated_to` is the role that is asked next, if any."""

    version: int
    escalated_to: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class ReminderDue(Happening):
    """A share of the window, in percent, has passed without a decision."""

    version: int
    percent: int


@dataclass(frozen=True, kw_only=True, slots=True)
class QuestionAsked(Happening):
    """A reviewer asked the fact-checker about a version; that decides nothing."""

    version: int
    question_id: str
    question: str


@dataclass(frozen=True, kw_only=True, slots=True)
class QuestionAnswered(Happening):
    """The fact-checker answered; `result` refers to the stored answer."""

    question_id: str
    result: str


@dataclass(frozen=True, kw_only=True, slots=True)
class QuestionFailed(Happening):
    """A question will get no answer."""

    question_id: str
    reason: str


@dataclass(frozen=True, kw_only=True, slots=True)
class OperationWithdrawn(Happening):
    """The requester took the request back before anything was written."""

    reason: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class OperationStopped(Happening):
    """Somebody who runs the app ended the operation before anything was approved."""

    reason: str


@dataclass(frozen=True, kw_only=True, slots=True)
class WriteClaimed(Happening):
    """The write of an approved digest is about to be tried; from here on it may have happened.

    `attempt` names the try, None where that was not recorded. Each further one that may send
    something is a claim of its own.
    """

    version: int
    digest: str
    attempt: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class WriteRefused(Happening):
    """The destination took nothing of a try to write, and never will; None: of no try at all."""

    version: int
    reason: str
    attempt: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class ReceiptRecorded(Happening):
    """The destination confirmed the write."""

    version: int
    receipt: Mapping[str, str | int]


@dataclass(frozen=True, kw_only=True, slots=True)
class WriteFound(Happening):
    """The destination has something of which this ledger knows no approval, as after a restore."""

    found: str


@dataclass(frozen=True, kw_only=True, slots=True)
class OperationClosed(Happening):
    """Nothing more will happen, but that people hear of it."""

    outcome: Outcome
    reason: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class NoticeClaimed(Happening):
    """A notice is about to be sent; from here on it may have gone out."""

    notice: str


@dataclass(frozen=True, kw_only=True, slots=True)
class NoticeSent(Happening):
    """A notice was sent: the channels that took it, and why the others did not."""

    notice: str
    taken: tuple[str, ...]
    failed: Mapping[str, str]


@dataclass(frozen=True, kw_only=True, slots=True)
class NoticeInDoubt(Happening):
    """Whoever reserved a notice left no result: it may have gone out, and is not sent again."""

    notice: str


@dataclass(frozen=True, kw_only=True, slots=True)
class ContentErased(Happening):
    """From here on all names, texts and artifacts of the operation are erased, under this rule."""

    rule: str


@dataclass(frozen=True, kw_only=True, slots=True)
class PersonErased(Happening):
    """From here on what somebody is called and wrote, behind these commitments, is erased."""

    rule: str
    commitments: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class LegalHoldPlaced(Happening):
    """An operator wants the operation kept as it is: nothing of it is erased."""

    reason: str


@dataclass(frozen=True, kw_only=True, slots=True)
class LegalHoldLifted(Happening):
    """An operator no longer wants the operation kept."""

    reason: str


Event: TypeAlias = (
    OperationStarted
    | WorkPlanned
    | WorkDone
    | ModelCalled
    | WorkHeld
    | RetryRequested
    | WorkResumed
    | RevisionFailed
    | ProposalOpened
    | DecisionRecorded
    | CommentsAdded
    | CommentResolved
    | ApprovalTakenBack
    | ProposalApproved
    | ProposalRejected
    | ProposalSuperseded
    | ProposalExpired
    | ReminderDue
    | QuestionAsked
    | QuestionAnswered
    | QuestionFailed
    | OperationWithdrawn
    | OperationStopped
    | WriteClaimed
    | WriteRefused
    | WriteFound
    | ReceiptRecorded
    | OperationClosed
    | NoticeClaimed
    | NoticeSent
    | NoticeInDoubt
    | ContentErased
    | PersonErased
    | LegalHoldPlaced
    | LegalHoldLifted
)
