"""Every way in which a command can be refused, and what can go wrong with a ledger.

Refusals are values: a closed set, in which each case names its facts. Only a ledger raises:

LedgerError
├── Conflict             another writer came first: read and decide again
├── DamagedRow           a row can't be read as an event
├── ImpossibleHistory    events that could never have happened in this order
└── UntrustedLedger      rows that the app did not record
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias

Missing: TypeAlias = Literal[
    "operation", "version", "claim", "comment", "source", "evidence", "question", "quote"
]


@dataclass(frozen=True, kw_only=True, slots=True)
class NotFound:
    """There is no such operation, or nothing of that kind in it, or it is another tenant's.

    Attributes:
        what: what there is none of; None where either the operation or the version is missing.
    """

    what: Missing | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class NotAuthorised:
    """The person lacks what the command needs: a role, or being the requester."""

    needs: str


@dataclass(frozen=True, kw_only=True, slots=True)
class OwnRequest:
    """The person asked for this operation, so somebody else has to decide."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PeopleOnly:
    """A program asks for itself, and deciding is for people."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PasskeyRequired:
    """The person has to sign this approval with a passkey of their own."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PasskeyRefused:
    """What was signed with a passkey doesn't count, for a reason given as a sentence."""

    reason: str


@dataclass(frozen=True, kw_only=True, slots=True)
class AlreadyDecided:
    """Something else was recorded first and stands."""

    by: str
    at: datetime
    decision: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Superseded:
    """A newer version exists; decisions go to that one."""

    current: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Expired:
    """The deadline passed before the decision was recorded."""

    at: datetime
    escalated_to: str | None


@dataclass(frozen=True, kw_only=True, slots=True)
class DigestMismatch:
    """The digest is not that of the version it was sent for."""

    current: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Invalid:
    """The command itself makes no sense; `fields` says which field and why."""

    fields: Mapping[str, str]


@dataclass(frozen=True, kw_only=True, slots=True)
class LastVersion:
    """As many versions were offered as there can be, so none can take the place of this one."""

    most: int


@dataclass(frozen=True, kw_only=True, slots=True)
class QuestionOpen:
    """The person's last question has no answer yet."""

    question_id: str


@dataclass(frozen=True, kw_only=True, slots=True)
class QuestionsSpent:
    """As many questions were asked about this operation as it takes."""

    most: int


Refusal: TypeAlias = (
    NotFound
    | NotAuthorised
    | OwnRequest
    | PeopleOnly
    | PasskeyRequired
    | PasskeyRefused
    | AlreadyDecided
    | Superseded
    | Expired
    | DigestMismatch
    | Invalid
    | LastVersion
    | QuestionOpen
    | QuestionsSpent
)


class LedgerError(Exception):
    """The ledger could not do what was asked."""


class Conflict(LedgerError):
    """Another writer appended first: read again and decide again."""


class DamagedRow(LedgerError):
    """A recorded row can't be read as an event; `sequence` says which."""

    def __init__(self, sequence: int) -> None:
        super().__init__(f"row {sequence} of the ledger can't be read as an event")
        self.sequence = sequence


class ImpossibleHistory(LedgerError):
    """The recorded events of an operation could never have happened in this order."""

    def __init__(self, operation_id: str, fault: str) -> None:
        super().__init__(f"the ledger of {operation_id} {fault}")
        self.operation_id = operation_id


class UntrustedLedger(LedgerError):
    """A ledger holds what the app did not record, so nobody acts on it; `sequence` says where."""

    def __init__(self, operation_id: str, sequence: int, reason: str) -> None:
        super().__init__(f"the ledger of {operation_id} can't be trusted: {reason}")
        self.sequence = sequence
        self.reason = reason
