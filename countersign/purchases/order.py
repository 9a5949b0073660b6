"""An order: what would be bought, from whom, and for how much, as the bytes that are signed."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema, model_validator
from typing_extensions import Self

from countersign.approvals.money import Money
from countersign.bodies.content import Content
from countersign.purchases.currency import price_in, rounded

LONGEST_HEADLINE = 300
"""Characters."""

MOST_LINES = 100
MOST_PIECES = 1_000_000
"""The largest quantity of a line."""

LONGEST_UNIT = 20
"""Characters of a unit such as `kg`."""

StoredQuantity = Annotated[
    int | Decimal,
    WithJsonSchema({"anyOf": [{"type": "integer"}, {"type": "string", "pattern": r"^\d+\.\d+$"}]}),
]
"""How much of something: a whole number or, with a unit, a fraction, which is text in JSON."""


def is_none(value: object) -> bool:
    """Return whether a field is left out."""
    return value is None


class OrderLine(BaseModel):
    """So much of one thing; `total` is what it costs in all, rounded to the order's currency.

    `unit`: what the quantity counts, such as `kg`; without one they are pieces.
    """

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, defer_build=True)

    sku: str
    description: str
    quantity: StoredQuantity
    # Left out where there is none, as from orders that were made before there were units.
    unit: str | None = Field(default=None, exclude_if=is_none)
    unit_price: Decimal = Field(ge=0)
    total: Decimal = Field(ge=0)

    @model_validator(mode="after")
    def _countable(self) -> Self:
        if not 0 < self.quantity <= MOST_PIECES:
            raise ValueError(f"a quantity must be above 0 and at most {MOST_PIECES:,}")
        if isinstance(self.quantity, Decimal):
            if self.unit is None:
                raise ValueError(needs_unit(self.quantity))
            if self.quantity == self.quantity.to_integral_value():
                raise ValueError("a whole quantity is a number, not text")
        return self

    @property
    def amount_in_words(self) -> str:
        """How much of it, such as "2.5 kg"; of pieces with the sign for times."""
        return f"{self.quantity} {self.unit or '×'}"  # noqa: RUF001 - it is what is meant


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
        if any(line.total != self._costs(line) for line in self.lines):
            raise ValueError("a line's total is not its quantity times its price")
        if self.total != sum_of(self.lines):
            raise ValueError("the total is not the sum of the lines")
        return self

    def _costs(self, line: OrderLine) -> Decimal:
        return rounded(line.unit_price * line.quantity, self.currency)

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
        text = f"{first.amount_in_words} {first.description}{others}, from {self.vendor}"
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


def needs_unit(quantity: Decimal) -> str:
    """Return why a fraction of a piece can't be ordered."""
    return f"the quantity {quantity:f} needs a unit, such as kg"


def free_of_charge(order: OrderContent) -> str | None:
    """Name the article of the first line that costs nothing, be it once it is rounded."""
    return next((line.sku for line in order.lines if not line.total), None)


def line_of(
    *,
    sku: str,
    description: str,
    quantity: int | Decimal,
    unit_price: Decimal,
    currency: str,
    unit: str | None = None,
) -> OrderLine:
    """Return a line with its total.

    Raises:
        ValueError: the quantity is a fraction without a unit.
    """
    return OrderLine(
        sku=sku,
        description=description,
        quantity=quantity,
        unit=unit,
        unit_price=price_in(unit_price, currency),
        total=rounded(unit_price * quantity, currency),
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
    if before is None or (before.description, before.unit) != (after.description, after.unit):
        return ["quantity", "unit_price"]
    return [
        name for name in ("quantity", "unit_price") if getattr(after, name) > getattr(before, name)
    ]
