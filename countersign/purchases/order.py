"""An order: what would be bought, from whom, and for how much, as the bytes that are signed."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, model_validator
from typing_extensions import Self

from countersign.approvals.money import Money
from countersign.bodies.content import Content
from countersign.purchases.currency import exact

LONGEST_HEADLINE = 300
"""Characters."""

MOST_LINES = 100
MOST_PIECES = 1_000_000
"""The largest quantity of a line."""


class OrderLine(BaseModel):
    """So many of one thing; `total` is what they cost together, in the order's currency."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, defer_build=True)

    sku: str
    description: str
    quantity: int = Field(ge=1, le=MOST_PIECES)
    unit_price: Decimal = Field(ge=0)
    total: Decimal = Field(ge=0)


class OrderContent(Content):
    """An order as it would be placed.

    `destination` is where it is delivered to; None leaves that to what was agreed with the vendor.
    No two lines have the same `sku`, and the totals are those of the lines: who has to approve
    depends on them.
    """

    vendor: str
    destination: str | None
    lines: list[OrderLine] = Field(min_length=1, max_length=MOST_LINES)
    currency: str
    total: Decimal = Field(ge=0)
    reason: str

    @model_validator(mode="after")
    def _add_up(self) -> Self:
        if len({line.sku for line in self.lines}) < len(self.lines):
            raise ValueError("an article appears in more than one line")
        if any(line.total != line.unit_price * line.quantity for line in self.lines):
            raise ValueError("a line's total is not its quantity times its price")
        if self.total != sum_of(self.lines):
            raise ValueError("the total is not the sum of the lines")
        return self

    def written(self) -> bytes:
        """Return the canonical JSON of the order, amounts as text."""
        return self.stored()

    @property
    def amount(self) -> Money:
        """What the order costs in all."""
        return Money(amount=self.total, currency=self.currency)

    @property
    def headline(self) -> str:
        """What is bought, and from whom."""
        first, more = self.lines[0], len(self.lines) - 1
        others = f" and {more} more" if more else ""
        text = f"{first.quantity} × {first.description}{others}, from {self.vendor}"  # noqa: RUF001 - it is what is meant
        return text if len(text) <= LONGEST_HEADLINE else f"{text[: LONGEST_HEADLINE - 1]}…"

    def line(self, sku: str) -> OrderLine | None:
        """Return the line of an article, if there is one."""
        return next((line for line in self.lines if line.sku == sku), None)

    def widening(self, before: Any) -> tuple[str, ...]:
        """In what it goes beyond the order that it corrects."""
        return widened(before, self)

    def corrected(
        self, *, vendor: str, destination: str | None, lines: list[OrderLine]
    ) -> OrderContent:
        """Return this order with what a correction can change, and the total that follows."""
        return OrderContent(
            vendor=vendor,
            destination=destination,
            lines=lines,
            currency=self.currency,
            total=sum_of(lines),
            reason=self.reason,
        )


def line_of(
    *, sku: str, description: str, quantity: int, unit_price: Decimal, currency: str
) -> OrderLine:
    """Return a line with its total.

    Raises:
        ValueError: the price is more exact than its currency can be.
    """
    price = exact(unit_price, currency)
    return OrderLine(
        sku=sku,
        description=description,
        quantity=quantity,
        unit_price=price,
        total=price * quantity,
    )


def sum_of(lines: Iterable[OrderLine]) -> Decimal:
    """Return what lines cost together; there is at least one."""
    first, *others = (line.total for line in lines)
    return sum(others, first)


def widened(before: OrderContent, after: OrderContent) -> tuple[str, ...]:
    """In what an order goes beyond another: more of something, for more money, or elsewhere.

    Returns:
        The names of fields, those of lines as `lines.SKU.quantity`; empty if it is within the other
        in everything.
    """
    fields = [
        name
        for name in ("vendor", "destination", "currency")
        if getattr(before, name) != getattr(after, name)
    ]
    for line in after.lines:
        fields += [f"lines.{line.sku}.{name}" for name in _more(before.line(line.sku), line)]
    return (*fields, *(["total"] if after.total > before.total else []))


def _more(before: OrderLine | None, after: OrderLine) -> list[str]:
    if before is None or before.description != after.description:
        return ["quantity", "unit_price"]
    return [
        name for name in ("quantity", "unit_price") if getattr(after, name) > getattr(before, name)
    ]
