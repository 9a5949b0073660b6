"""What a purchasing system confirms, and in what that differs from what was approved."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Annotated, Any, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    JsonValue,
    StringConstraints,
    ValidationError,
)

from countersign.approvals.digest import canonical, sha256
from countersign.destinations.destination import OrderReceipt, legal_name
from countersign.platform.visible import without_deceit

_Form = TypeVar("_Form", bound=BaseModel)

_MOMENT = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2})(\.[0-9]{1,9})?Z")
# Of visible ASCII, because it goes where people read it, and blanks within.
_NUMBER = r"^[!-~]([ -~]{0,62}[!-~])?$"
_LONGEST_WORD = 60
_MOST_DIFFERENCES = 3
_ABSENT = object()


class Malformed(Exception):
    """An answer is malformed; the message says in what, and quotes nothing."""


def _moment(text: str) -> str:
    found = _MOMENT.fullmatch(text)
    if found is None:
        raise ValueError("it must be a time in UTC (RFC 3339)")
    datetime.strptime(found[1], "%Y-%m-%dT%H:%M:%S")  # noqa: DTZ007 - only whether there is such
    return f"{found[1]}{(found[2] or '.')[:4]:0<4}Z"


def _representable(order: dict[str, Any]) -> dict[str, Any]:
    canonical(order)
    return order


class Echo(BaseModel):
    """An order as it was accepted. What else a system tells of it is left out."""

    model_config = ConfigDict(strict=True, extra="ignore", frozen=True, defer_build=True)

    order_number: Annotated[str, StringConstraints(pattern=_NUMBER)]
    reference: Annotated[str, AfterValidator(legal_name)]
    order: Annotated[dict[str, JsonValue], AfterValidator(_representable)]
    accepted_at: Annotated[str, AfterValidator(_moment)]

    def receipt(self) -> OrderReceipt:
        """Return the receipt of this order, all of it from the echo."""
        accepted = canonical(self.order)
        return {
            "destination": "purchasing service",
            "location": self.order_number,
            "sha256": sha256(accepted),
            "size": len(accepted),
            "written_at": self.accepted_at,
            "order_number": self.order_number,
            "total": word(self.order.get("total")),
            "currency": word(self.order.get("currency")),
        }


class Found(BaseModel):
    """What was found for a reference."""

    model_config = ConfigDict(strict=True, extra="ignore", frozen=True, defer_build=True)

    orders: list[Echo]


def read_echo(body: bytes) -> Echo:
    """Return the one order of an answer to POST.

    Raises:
        Malformed: it is malformed.
    """
    return _read(Echo, body)


def read_found(body: bytes) -> list[Echo]:
    """Return the orders of an answer to GET.

    Raises:
        Malformed: it is malformed.
    """
    return _read(Found, body).orders


def differences(approved: Mapping[str, Any], confirmed: Mapping[str, Any]) -> str:
    """In what two orders differ, in words: the total first, and only the first few.

    Returns:
        Such as "total 1200.00 EUR confirmed where 120.00 EUR ".
    """
    ours, theirs = dict(_leaves(_amounts(approved))), dict(_leaves(_amounts(confirmed)))
    # As they are written in Python, because 3 is not "3", and True is not 1.
    names = [
        name
        for name in {**ours, **theirs}
        if repr(ours.get(name, _ABSENT)) != repr(theirs.get(name, _ABSENT))
    ]
    names.sort(key=lambda name: name != "total")
    said = [
        f"{word(name)} {word(theirs.get(name, 'nothing'))} confirmed instead of"
        f" {word(ours.get(name, 'nothing'))}"
        for name in names[:_MOST_DIFFERENCES]
    ]
    more = len(names) - len(said)
    return "; ".join([*said, f"and {more} more"] if more else said)


def word(value: Any, longest: int = _LONGEST_WORD) -> str:
    """Return a value as people may read it, however it came: on one line, nothing hidden.

    Args:
        value: any.
        longest: how many characters are shown of it.
    """
    text = " ".join(without_deceit(value if isinstance(value, str) else repr(value)).split())
    return text if len(text) <= longest else f"{text[:longest]}…"


def _amounts(order: Mapping[str, Any]) -> Mapping[str, Any]:
    total, currency = order.get("total"), order.get("currency")
    if isinstance(total, str) and isinstance(currency, str):
        return {**order, "total": f"{total} {currency}"}
    return order


def _leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        parts = list(value.items())
    else:
        parts = list(enumerate(value, start=1)) if isinstance(value, list) else []
    if not parts:
        yield path, value
    for name, part in parts:
        yield from _leaves(part, f"{path} {name}".strip())


def _read(form: type[_Form], body: bytes) -> _Form:
    try:
        read = form.model_validate_json(body)
    except ValidationError as error:
        known = [part for part in error.errors()[0]["loc"] if part in Echo.model_fields]
        where = f"the answer's {known[0]}" if known else "the answer"
        # Its message quotes the answer, which may quote the token; a log would have both.
        raise Malformed(f"{where} is malformed") from None
    json.loads(body, object_pairs_hook=_with_each_name_once)
    return read


def _with_each_name_once(members: list[tuple[str, Any]]) -> None:
    # Others may take the first of two values, where this took the last.
    if len({name for name, _ in members}) < len(members):
        raise Malformed("the answer has an object that repeats a name")
