"""The bodies that requests about orders carry; strict, as all bodies are."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    StringConstraints,
    WithJsonSchema,
    field_validator,
    model_validator,
)
from typing_extensions import Self

from countersign.bodies.body import (
    LONGEST_REMARK,
    CorrectionBody,
    DecisionBody,
    Line,
    RequestBody,
    StrictBody,
    TermsBody,
)
from countersign.bodies.content import UnfitCorrection
from countersign.platform.visible import visible_line, visible_words
from countersign.purchases.order import (
    LONGEST_UNIT,
    MOST_LINES,
    MOST_PIECES,
    OrderContent,
    OrderLine,
    is_none,
    line_of,
    needs_unit,
    sum_of,
)

_PRICE = r"[0-9]{1,12}(\.[0-9]{1,6})?"
_FRACTION = r"[0-9]{1,7}\.[0-9]{1,3}"


def _price(value: Any) -> Decimal:
    # A JSON number would have gone through binary floating point on its way.
    if not isinstance(value, str) or not re.fullmatch(_PRICE, value):
        raise ValueError('a price must be text such as "12.50", with at most 6 decimals')
    return Decimal(value)


def _quantity(value: Any) -> int | Decimal:
    if isinstance(value, str) and re.fullmatch(_FRACTION, value):
        fraction = Decimal(value).normalize()
        value = int(fraction) if fraction == int(fraction) else fraction
    # In Python, true is an int.
    elif not isinstance(value, int) or isinstance(value, bool):
        raise ValueError('a quantity must be a whole number, or text such as "2.5"')
    if not 0 < value <= MOST_PIECES:
        raise ValueError(f"a quantity must be above 0 and at most {MOST_PIECES:,}")
    return value


Price = Annotated[
    Decimal,
    BeforeValidator(_price),
    WithJsonSchema({"type": "string", "pattern": f"^{_PRICE}$"}),
]
Quantity = Annotated[
    int | Decimal,
    BeforeValidator(_quantity),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "integer", "minimum": 1, "maximum": MOST_PIECES},
                {"type": "string", "pattern": f"^{_FRACTION}$"},
            ]
        }
    ),
]
Unit = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=LONGEST_UNIT),
    AfterValidator(visible_line),
]
Sku = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._/-]{0,63}$")]
"""What a vendor calls an article; without a colon, a comma or a blank it can be named anywhere."""


class OrderLineBody(StrictBody):
    """So much of one thing; a quantity that is a fraction needs a `unit`, such as `kg`."""

    sku: Sku
    description: Line
    quantity: Quantity
    unit: Unit | None = Field(default=None, exclude_if=is_none)
    unit_price: Price

    @model_validator(mode="after")
    def _countable(self) -> Self:
        if isinstance(self.quantity, Decimal) and self.unit is None:
            raise ValueError(needs_unit(self.quantity))
        return self


class OrderRequestBody(RequestBody):
    """A request for an order; `destination` is where it is to be delivered to."""

    vendor: Line
    destination: Line | None = None
    currency: Annotated[str, Field(pattern=r"^[A-Z]{3}$")]
    lines: Annotated[list[OrderLineBody], Field(min_length=1, max_length=MOST_LINES)]
    reason: Annotated[
        str,
        StringConstraints(strip_whitespace=True, min_length=1, max_length=LONGEST_REMARK),
        AfterValidator(visible_words),
    ]
    approval: Annotated[TermsBody, Field(default_factory=TermsBody)]

    @field_validator("lines")
    @classmethod
    def _once_each(cls, lines: list[OrderLineBody]) -> list[OrderLineBody]:
        _refuse_twins([line.sku for line in lines])
        return lines

    @property
    def title(self) -> str:
        """What the operation is called."""
        return self.order().headline

    def order(self) -> OrderContent:
        """Return the order that is asked for, with its totals."""
        lines = [line_of(**dict(line), currency=self.currency) for line in self.lines]
        return OrderContent(
            vendor=self.vendor,
            destination=self.destination,
            lines=lines,
            currency=self.currency,
            total=sum_of(lines),
            reason=self.reason,
        )


class LineCorrectionBody(StrictBody):
    """A line as it should be; what is left out stays as it was."""

    sku: Sku
    quantity: Quantity | None = None
    unit_price: Price | None = None


class OrderCorrectionBody(CorrectionBody):
    """The order as it should be; what is left out stays as it was.

    Of `lines`, those that are not named are struck, and none can be added.
    """

    vendor: Line | None = None
    destination: Line | None = None
    lines: (
        Annotated[list[LineCorrectionBody], Field(min_length=1, max_length=MOST_LINES)] | None
    ) = None

    @field_validator("lines")
    @classmethod
    def _once_each(cls, lines: list[LineCorrectionBody] | None) -> list[LineCorrectionBody] | None:
        _refuse_twins([line.sku for line in lines or ()])
        return lines

    def applied(self, content: OrderContent) -> OrderContent:
        """Return the order with these changes, and what they make of its totals.

        Raises:
            UnfitCorrection: a line isn't in the order, a quantity is a fraction of what has no
                unit, or nothing would be different.
        """
        lines = content.lines if self.lines is None else self._lines(content)
        corrected = content.corrected(
            vendor=self.vendor or content.vendor,
            destination=self.destination or content.destination,
            lines=lines,
        )
        if corrected == content:
            raise UnfitCorrection("correction", "it does not change the order")
        return corrected

    def _lines(self, order: OrderContent) -> list[OrderLine]:
        wanted = {line.sku: line for line in self.lines or ()}
        if strange := wanted.keys() - {line.sku for line in order.lines}:
            raise UnfitCorrection("correction.lines", f"{min(strange)} is not in the order")
        try:
            return [
                _corrected(line, wanted[line.sku], order.currency)
                for line in order.lines
                if line.sku in wanted
            ]
        except ValueError as error:
            raise UnfitCorrection("correction.lines", str(error)) from error


class OrderDecisionBody(DecisionBody[OrderCorrectionBody]):
    """A decision about a version of an order."""


def _corrected(line: OrderLine, wanted: LineCorrectionBody, currency: str) -> OrderLine:
    if isinstance(wanted.quantity, Decimal) and line.unit is None:
        raise ValueError(f"{line.sku}: {needs_unit(wanted.quantity)}")
    kept = {name: value for name, value in line if name != "total"}
    changed = {name: value for name, value in wanted if value is not None}
    return line_of(**{**kept, **changed}, currency=currency)


def _refuse_twins(skus: list[str]) -> None:
    twins = [sku for sku in dict.fromkeys(skus) if skus.count(sku) > 1]
    if twins:
        raise ValueError(f"{twins[0]} appears in more than one line")
