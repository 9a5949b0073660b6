"""What is recorded of an operation's notices: each is reserved, sent, and then told of."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from countersign.approvals.errors import Invalid, NotAuthorised
from countersign.approvals.events import NoticeClaimed, NoticeInDoubt, NoticeSent
from countersign.approvals.operation import Operation
from countersign.approvals.person import SYSTEM
from countersign.approvals.rules import Events, Ruling
from countersign.approvals.standing import due_notice


def reserve_notice(operation: Operation, notice: str, now: datetime) -> Ruling:
    """Announce a notice, by its key, before it is sent: who reserves it sends it, nobody else."""
    if notice in operation.notices:
        return ()
    due = due_notice(operation, now)
    if due is None or due.key != notice:
        return Invalid(fields={"notice": f"{notice} is not due"})
    return (NoticeClaimed(at=now, actor=SYSTEM, notice=notice),)


def record_notice(
    operation: Operation,
    notice: str,
    taken: tuple[str, ...],
    failed: Mapping[str, str],
    now: datetime,
) -> Ruling:
    """Record which channels took a reserved notice, and why the others failed."""
    known = operation.notices.get(notice)
    if known is None:
        return NotAuthorised(needs="a reserved notice")
    if isinstance(known, NoticeSent):
        return ()
    return (NoticeSent(at=now, actor=SYSTEM, notice=notice, taken=taken, failed=failed),)


def doubt_notices(operation: Operation, now: datetime) -> Events:
    """Record of each reserved notice without a result that its sender is gone."""
    return tuple(
        NoticeInDoubt(at=now, actor=SYSTEM, notice=notice)
        for notice, known in operation.notices.items()
        if isinstance(known, NoticeClaimed)
    )
