"""What requests can hold at the most, and what can be asked for, in one answer."""

from __future__ import annotations

from collections.abc import Mapping

from countersign.approvals.policy import LONGEST_WINDOW, MAX_VERSIONS, MOST_APPROVERS, Tier
from countersign.approvals.questions import LONGEST_QUESTION, MOST_QUESTIONS
from countersign.bodies.body import LONGEST_LINE, LONGEST_REMARK
from countersign.purchases.currency import decimals_of
from countersign.purchases.limits import Limits
from countersign.purchases.order import MOST_LINES, MOST_PIECES
from countersign.reports.comments import LONGEST_COMMENT, LONGEST_PASSAGE, MOST_COMMENTS
from countersign.reports.report import LONGEST_TEXT
from countersign.reports.report_bodies import MOST_SUBTOPICS
from countersign.settings import Settings
from countersign.sources import formats, uploads
from endpoints.answers.response_body import ResponseBody


class ApprovalLimits(ResponseBody):
    """The terms of an approval that a request can set.

    `window_seconds` is how long a version waits for a decision where a request doesn't say, and
    `fewest_approvers` how many people have to approve it even if a request names fewer.
    """

    window_seconds: float
    shortest_window_seconds: float
    longest_window_seconds: float
    fewest_approvers: int
    most_approvers: int


class DocumentSizes(ResponseBody):
    """How large documents can be: each file in bytes, its text in characters."""

    suffixes: list[str]
    most_documents: int
    most_bytes: int
    most_characters: int


class CommentLimits(ResponseBody):
    """How many comments on passages one review takes, and how long their parts can be."""

    most: int
    longest_passage: int
    longest_comment: int


class ReportLimits(ResponseBody):
    """What can be asked for in a report, and how long a corrected text can be, in characters."""

    longest_topic: int
    most_subtopics: int
    longest_text: int
    look_in: list[str]
    most_addresses: int
    documents: DocumentSizes
    comments: CommentLimits


class TierView(ResponseBody):
    """What it takes to approve more than an amount.

    `quorum` people in the role that is asked first and, if `countersigner_role` is not null, one
    more in that.
    """

    above: str
    quorum: int
    countersigner_role: str | None


class CurrencyView(ResponseBody):
    """A currency in which orders can be asked for, and what larger amounts take."""

    currency: str
    decimals: int
    tiers: list[TierView]


class OrderLimits(ResponseBody):
    """What can be asked for in an order; `longest_line` is that of a name, in characters."""

    longest_line: int
    longest_reason: int
    most_lines: int
    most_pieces: int
    currencies: list[CurrencyView]


class LimitsView(ResponseBody):
    """What requests can hold at the most; lengths are in characters.

    `order` is null where no orders can be asked for.
    """

    longest_comment: int
    longest_question: int
    most_questions: int
    most_versions: int
    approval: ApprovalLimits
    report: ReportLimits
    order: OrderLimits | None

    @classmethod
    def of(cls, settings: Settings) -> LimitsView:
        """Return the limits of this app."""
        return cls(
            longest_comment=LONGEST_REMARK,
            longest_question=LONGEST_QUESTION,
            most_questions=MOST_QUESTIONS,
            most_versions=MAX_VERSIONS,
            approval=ApprovalLimits(
                window_seconds=settings.window_seconds,
                shortest_window_seconds=min(
                    settings.shortest_window_seconds, settings.window_seconds
                ),
                longest_window_seconds=LONGEST_WINDOW,
                fewest_approvers=settings.quorum,
                most_approvers=MOST_APPROVERS,
            ),
            report=_report(settings),
            order=_order(settings.limits) if settings.purchasing else None,
        )


def _report(settings: Settings) -> ReportLimits:
    return ReportLimits(
        longest_topic=LONGEST_LINE,
        most_subtopics=MOST_SUBTOPICS,
        longest_text=LONGEST_TEXT,
        look_in=list(settings.allowed.look_in),
        most_addresses=settings.allowed.most_addresses,
        documents=DocumentSizes(
            suffixes=list(formats.SUFFIXES),
            most_documents=uploads.MOST_DOCUMENTS,
            most_bytes=uploads.MOST_BYTES,
            most_characters=uploads.MOST_CHARACTERS,
        ),
        comments=CommentLimits(
            most=MOST_COMMENTS, longest_passage=LONGEST_PASSAGE, longest_comment=LONGEST_COMMENT
        ),
    )


def _order(limits: Mapping[str, Limits]) -> OrderLimits:
    return OrderLimits(
        longest_line=LONGEST_LINE,
        longest_reason=LONGEST_REMARK,
        most_lines=MOST_LINES,
        most_pieces=MOST_PIECES,
        currencies=[_currency(each, known) for each, known in limits.items()],
    )


def _currency(currency: str, limits: Limits) -> CurrencyView:
    return CurrencyView(
        currency=currency,
        decimals=decimals_of(currency),
        tiers=[_tier(each) for each in limits.tiers],
    )


def _tier(tier: Tier) -> TierView:
    return TierView(
        above=f"{tier.above:f}", quorum=tier.quorum, countersigner_role=tier.countersigner_role
    )
