"""Replies: somebody writes a letter to a customer, and an approved one is sent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from countersign.approvals.operation import Operation
from countersign.approvals.policy import Policy
from countersign.kinds.kind import Kind, NoticeWords, Roles, Stages

if TYPE_CHECKING:
    from letter import ReplyContent, ReplyDecisionBody, ReplyRequestBody

    from countersign.destinations.destination import Destination
    from countersign.services import Services
    from countersign.settings import Settings

ROLES = Roles(request="Reply.Requester", decide="Reply.Approver", escalate="Reply.Escalation")


def _stage(_: Operation) -> str:
    return "addressing"


def _request_body() -> type[ReplyRequestBody]:
    from letter import ReplyRequestBody

    return ReplyRequestBody


def _decision_body() -> type[ReplyDecisionBody]:
    from letter import ReplyDecisionBody

    return ReplyDecisionBody


def _content() -> type[ReplyContent]:
    from letter import ReplyContent

    return ReplyContent


def _policy(body: ReplyRequestBody, settings: Settings) -> Policy:
    return Policy(
        reviewer_role=ROLES.decide,
        escalation_role=ROLES.escalate,
        quorum=body.approval.quorum,
        window_seconds=body.approval.window_seconds or settings.window_seconds,
        has_team=False,
    )


def _destination(app: Services) -> Destination:
    from countersign.destinations.report_folder import ReportFolder

    return ReportFolder(app.settings.data / "letters")


async def _html(_: ReplyContent) -> None:
    return None


async def _differences(before: ReplyContent, after: ReplyContent) -> dict[str, Any]:
    return {"letters": len(after.text) - len(before.text)}


REPLY: Kind[ReplyRequestBody, ReplyDecisionBody, ReplyContent] = Kind(
    name="reply",
    outcome="sent",
    consequence="The letter is sent, once, exactly as shown.",
    roles=ROLES,
    stages=Stages(preparing=("addressing",), current=_stage, writing="sending"),
    words=NoticeWords(thing="letter", place="the folder of letters"),
    request_body=_request_body,
    decision_body=_decision_body,
    content=_content,
    policy=_policy,
    destination=_destination,
    html=_html,
    differences=_differences,
)
