"""What changed between two versions, as the API shows it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import ConfigDict, Field

from countersign.approvals.events import VersionOrigin
from countersign.kinds.order import ORDER
from countersign.kinds.report import REPORT
from endpoints.answers.response_body import ResponseBody


class Words(ResponseBody):
    """A stretch of text that is the same in both versions, or in one of them alone."""

    op: Literal["same", "removed", "added"]
    text: str


class Gap(ResponseBody):
    """So many lines that are the same in both versions and are not shown."""

    op: Literal["gap"]
    lines: int


Piece: TypeAlias = Annotated[Words | Gap, Field(discriminator="op")]


class Asked(ResponseBody):
    """Since which version something changed, why, and who asked for it.

    Of several versions between the two, each has its say: their reasons are paragraphs of `why`.
    Nobody asked for an escalation, which leaves the content as it was.
    """

    since: int
    origin: VersionOrigin
    why: str
    by: str


class ReportChanges(Asked):
    """The words of a report that changed, with two lines of what is around them."""

    words: list[Piece]


class ChangedField(ResponseBody):
    """A field of an order that differs; null where it is left to what was agreed."""

    name: str
    before: str | None
    after: str | None


class LineFigures(ResponseBody):
    """The figures of an order's line; without a `unit`, the quantity counts pieces."""

    quantity: int | str
    unit: str | None
    unit_price: str
    total: str


class ChangedLine(ResponseBody):
    """A line of an order before and after: null where it is not in the order."""

    sku: str
    description: str
    before: LineFigures | None
    after: LineFigures | None
    changed: bool


class OrderDifference(ResponseBody):
    """What differs between two orders.

    `widened` names in what the later one goes beyond the earlier one: fields by their names, those
    of lines as `lines.SKU.quantity`.
    """

    fields: list[ChangedField]
    lines: list[ChangedLine]
    widened: list[str]


class OrderChanges(Asked, OrderDifference):
    """What changed in an order, field by field and line by line."""


class OtherChanges(Asked):
    """What changed in a version of any other kind, in that kind's own terms."""

    model_config = ConfigDict(extra="allow")


Changes: TypeAlias = ReportChanges | OrderChanges | OtherChanges

_FORMS: Mapping[str, type[Changes]] = {REPORT.name: ReportChanges, ORDER.name: OrderChanges}


def changes_of(kind: str, told: Mapping[str, Any]) -> Changes:
    """Return what a kind tells of a change, in the form that changes of this kind have.

    Raises:
        ValidationError: it has not that form.
    """
    return _FORMS.get(kind, OtherChanges).model_validate(told)
