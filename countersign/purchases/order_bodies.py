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
    ValidationInfo,
    WithJsonSchema,
    field_validator,
)

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
from countersign.platform.visible import visible
from countersign.purchases.currency import exact
from countersign.purchases.order import (
    MOST_LINES,
    MOST_PIECES,
    OrderContent,
    OrderLine,
    line_of,
    sum_of,
)

_AMOUNT = r"[0-9]{1,12}(\.[0-9]{1,4})?"


def _amount(value: Any) -> Decimal:
    # A JSON number would have gone through binary floating point on its way.
    if not isinstance(value, str) or not re.fullmatch(_AMOUNT, value):
        raise ValueError('an amount must be text such as "12.50"')
    return Decimal(value)


Amount = Annotated[
    Decimal,
    BeforeValidator(_amount),
    WithJsonSchema({"type": "string", "pattern": f"^{_AMOUNT}$"}),
]
Quantity = Annotated[int, Field(ge=1, le=MOST_PIECES)]
Sku = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._/-]{0,63}$")]
"""What a vendor calls an article; without a colon, a comma or a blank it can be named anywhere."""


class OrderLineBody(StrictBody):
    """So many of one thing."""

    sku: Sku
    description: Line
    quantity: Quantity
    unit_price: Amount


class OrderRequestBody(RequestBody):
    """A request for an order; `destination` is where it is to be delivered to."""

    vendor: Line
    destination: Line | None = None
    currency: Annotated[str, Field(pattern=r"^[A-Z]{3}$")]
    lines: Annotated[list[OrderLineBody], Field(min_length=1, max_length=MOST_LINES)]
    reason: Annotated[
        str,
        StringConstraints(strip_whitespace=True, min_length=1, max_length=LONGEST_REMARK),
        AfterValidator(visible),
    ]
    approval: Annotated[TermsBody, Field(default_factory=TermsBody)]

    @field_validator("lines")
    @classmethod
    def _add_up(cls, lines: list[OrderLineBody], info: ValidationInfo) -> list[OrderLineBody]:
        _refuse_twins([line.sku for line in lines])
        # Fields are read in their order; a currency that is no good is told of by itself.
        if currency := info.data.get("currency"):
            for line in lines:
                exact(line.unit_price, currency)
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
    unit_price: Amount | None = None


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
            UnfitCorrection: a line isn't in the order, a price is more exact than the currency can
                be, or nothing would be different.
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
    return line_of(
        sku=line.sku,
        description=line.description,
        quantity=line.quantity if wanted.quantity is None else wanted.quantity,
        unit_price=line.unit_price if wanted.unit_price is None else wanted.unit_price,
        currency=currency,
    )


def _refuse_twins(skus: list[str]) -> None:
    twins = [sku for sku in dict.fromkeys(skus) if skus.count(sku) > 1]
    if twins:
        raise ValueError(f"{twins[0]} appears in more than one line")
