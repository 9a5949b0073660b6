"""Reports: a team of agents researches and writes them, and an approved one is published."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from countersign.approvals.operation import Operation
from countersign.approvals.policy import EDITION, Policy
from countersign.kinds.kind import Kind, NoticeWords, Roles, Stages
from countersign.roles import REPORT_ESCALATION, REPORT_REVIEWER, RESEARCH_REQUESTER
from countersign.steps.names import last_check, researched

if TYPE_CHECKING:
    from countersign.destinations.destination import Destination
    from countersign.reports.report import ReportContent
    from countersign.reports.report_bodies import (
        CommentsBody,
        ReportDecisionBody,
        ReportRequestBody,
    )
    from countersign.services import Services
    from countersign.settings import Settings


def _stage(operation: Operation) -> str:
    if operation.subtopics is None:
        return "planning"
    if researched(operation.work) < len(operation.subtopics):
        return "researching"
    return "writing" if last_check(operation.work) else "checking"


def _request_body() -> type[ReportRequestBody]:
    from countersign.reports.report_bodies import ReportRequestBody

    return ReportRequestBody


def _decision_body() -> type[ReportDecisionBody]:
    from countersign.reports.report_bodies import ReportDecisionBody

    return ReportDecisionBody


def _content() -> type[ReportContent]:
    from countersign.reports.report import ReportContent

    return ReportContent


def _policy(body: ReportRequestBody, settings: Settings) -> Policy:
    return Policy(
        reviewer_role=body.approval.role,
        escalation_role=REPORT_ESCALATION,
        quorum=max(body.approval.quorum, settings.quorum),
        window_seconds=body.approval.window_seconds or settings.window_seconds,
        edition=EDITION,
    )


def _destination(app: Services) -> Destination:
    return app.reports


async def _html(content: ReportContent) -> str:
    from countersign.platform.threads import PAGES
    from countersign.review.render import kept_html

    return await PAGES.run(kept_html, content.text)


async def _differences(before: ReportContent, after: ReportContent) -> dict[str, Any]:
    from countersign.platform.threads import PAGES
    from countersign.review.changes import changed_words

    return {"words": await PAGES.run(changed_words, before.text, after.text)}


async def _misquoted(
    body: ReportDecisionBody | CommentsBody, content: ReportContent
) -> Mapping[str, str]:
    if not body.comments:
        return {}
    from countersign.platform.threads import PAGES
    from countersign.reports.misquoted import misquoted

    shown = await _html(content)
    return await PAGES.run(misquoted, body.comments, content.title, content.text, shown)


REPORT: Kind[ReportRequestBody, ReportDecisionBody, ReportContent] = Kind(
    name="research",
    outcome="published",
    consequence="The report is published, once, exactly as shown.",
    roles=Roles(request=RESEARCH_REQUESTER, decide=REPORT_REVIEWER, escalate=REPORT_ESCALATION),
    stages=Stages(
        preparing=("planning", "researching", "checking", "writing"),
        current=_stage,
        writing="publishing",
    ),
    words=NoticeWords(thing="report", place="the destination"),
    request_body=_request_body,
    decision_body=_decision_body,
    content=_content,
    policy=_policy,
    destination=_destination,
    html=_html,
    differences=_differences,
    misquoted=_misquoted,
)
