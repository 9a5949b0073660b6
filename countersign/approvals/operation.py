"""The state of an operation: what was asked for, its versions, and how it ended."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime

from countersign.approvals.events import (
    ContentErased,
    LegalHoldPlaced,
    NoticeClaimed,
    NoticeInDoubt,
    NoticeSent,
    OperationClosed,
    OperationStopped,
    OperationWithdrawn,
    PersonErased,
    ReceiptRecorded,
    RevisionFailed,
    WriteClaimed,
    WriteRefused,
)
from countersign.approvals.hold import Hold
from countersign.approvals.person import Actor
from countersign.approvals.policy import Policy
from countersign.approvals.proposal import Proposal
from countersign.approvals.question import Question


def shelf_of(tenant: str, operation_id: str) -> str:
    """Whose the artifacts of an operation are stored as that has them apart from others."""
    return json.dumps([tenant, operation_id], ensure_ascii=False)


@dataclass(frozen=True, kw_only=True, slots=True)
class Operation:
    """One business request with all that happened to it.

    Attributes:
        sequence: how many events made this state; the next append expects it.
        work: the stored result of each finished step, by the step's name.
        spent: the model tokens that each step has cost, by the step's name.
        prompts: the prompts of all calls so far, as `ModelCalled` has them.
        tokens_day: the last day (UTC) on which a model was called, None if none was.
        day_tokens: the model tokens of that day.
        hold: why the work does not go on, while a step of it is to be tried again.
        unrevised: the revision that can't be made, until the text is offered again.
        claims: the tries to write of which it isn't known what came, in their order.
        begun: the last try to write, whatever came of it.
        refused: why the destination took nothing of any try; None while that isn't known.
        late: whether the write was confirmed after the operation had ended.
        notices: the last that is known of each notice, by its key.
        erasable: whether names, texts and artifacts can be erased.
        legal_hold: why nothing of it is erased, if somebody wants that.
        erased: that all names, texts and artifacts were erased, if so.
        people_erased: the erasures of people who took part.
        decided: the sequence of the last row in which each person decided or took that back.
    """

    id: str
    tenant: str
    kind: str
    title: str
    request: str
    requester: Actor
    policy: Policy
    created_at: datetime
    updated_at: datetime
    sequence: int = 1
    subtopics: tuple[str, ...] | None = None
    tokens_day: date | None = None
    day_tokens: int = 0
    work: Mapping[str, str]
    spent: Mapping[str, int]
    prompts: frozenset[str | None] = frozenset()
    hold: Hold | None = None
    unrevised: RevisionFailed | None = None
    proposals: tuple[Proposal, ...] = ()
    questions: tuple[Question, ...] = ()
    withdrawn: OperationWithdrawn | None = None
    stopped: OperationStopped | None = None
    claims: tuple[WriteClaimed, ...] = ()
    begun: WriteClaimed | None = None
    refused: WriteRefused | None = None
    written: ReceiptRecorded | None = None
    closed: OperationClosed | None = None
    late: bool = False
    notices: Mapping[str, NoticeClaimed | NoticeSent | NoticeInDoubt]
    erasable: bool = False
    legal_hold: LegalHoldPlaced | None = None
    erased: ContentErased | None = None
    people_erased: tuple[PersonErased, ...] = ()
    decided: Mapping[str, int] = field(default_factory=dict[str, int])

    @property
    def shelf(self) -> str:
        """Whose its artifacts are stored as: its own, or those of its tenant in older ones."""
        return shelf_of(self.tenant, self.id) if self.erasable else self.tenant

    @property
    def tokens(self) -> int:
        """The model tokens that all steps have cost."""
        return sum(self.spent.values())

    @property
    def reservation(self) -> WriteClaimed | None:
        """The first of the tries to write of which it isn't known what came, if there is one."""
        return self.claims[0] if self.claims else None

    @property
    def receipt(self) -> Mapping[str, str | int] | None:
        """What the destination confirmed the write with, if it was written."""
        return self.written.receipt if self.written else None

    @property
    def current(self) -> Proposal | None:
        """The newest version, if one was opened."""
        return self.proposals[-1] if self.proposals else None

    def proposal(self, version: int) -> Proposal | None:
        """Return the version with this number (from 1), if it was opened."""
        return self.proposals[version - 1] if 1 <= version <= len(self.proposals) else None

    def question(self, question_id: str) -> Question | None:
        """Return the question with this id, if it was asked."""
        return next((each for each in self.questions if each.id == question_id), None)
