"""The query parameters of lists: what each looks for, and in which order."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from datetime import datetime, timezone
from decimal import Decimal
from typing import Any, get_args

import azure.functions as func

from countersign.approvals.person import Person
from countersign.kinds.registry import known_kinds
from countersign.operations.summary import states
from countersign.stores.search import Order, Search, Span, Value, words_in
from endpoints.parameters import Parameter
from endpoints.problems import malformed

_LONGEST_TEXT = 200
_MOST_APPROVALS = 99
_MOMENT: Mapping[str, Any] = {"type": "string", "format": "date-time"}
_AMOUNT: Mapping[str, Any] = {"type": "string", "pattern": r"^[0-9]{1,15}(\.[0-9]{1,3})?$"}

STATE = Parameter(name="state", schema={"type": "string", "enum": [*states()]})
TEXT = Parameter(
    name="text",
    schema={"type": "string", "maxLength": _LONGEST_TEXT},
    description="Beginnings of words of the title, the id, or the names of requester and deciders.",
)
KIND = Parameter(
    name="kind", schema={"type": "string", "enum": [kind.name for kind in known_kinds()]}
)
REQUESTER = Parameter(name="requester", description="The id of a person, or `me`.")
DECIDER = Parameter(
    name="decider", description="The id of a person who decided on any version, or `me`."
)
ROLE = Parameter(name="role", description="The role in which the next approval is needed.")
APPROVALS = Parameter(
    name="approvals_from",
    schema={"type": "integer", "minimum": 1, "maximum": _MOST_APPROVALS},
    description="How many people it takes at the least to approve the newest version.",
)
SORT = Parameter(
    name="sort",
    schema={"type": "string", "enum": [*get_args(Order)]},
    description="By request, nearest deadline, highest amount or latest decision.",
)


def _span(name: str, what: str, schema: Mapping[str, Any]) -> tuple[Parameter, Parameter]:
    first = Parameter(name=f"{name}_from", schema=schema, description=f"{what}, from this on.")
    last = Parameter(name=f"{name}_to", schema=schema, description=f"{what}, up to this.")
    return first, last


AMOUNT = _span("amount", "The amount of the newest version, in any currency", _AMOUNT)
ASKED = _span("asked", "When it was requested", _MOMENT)
DECIDED = _span("decided", "When somebody last decided", _MOMENT)
DUE = _span("due", "The deadline of the decision that it waits for", _MOMENT)

OF_WAITING = (TEXT, KIND, REQUESTER, ROLE, APPROVALS, *AMOUNT, *ASKED, *DUE, SORT)
"""What a list of waiting proposals can be searched by."""

OF_ALL = (STATE, DECIDER, *DECIDED, *OF_WAITING)
"""What a list of operations can be searched by."""


def search_in(
    request: func.HttpRequest, person: Person, *, parameters: Collection[Parameter], order: Order
) -> Search:
    """Return what a request looks for.

    Args:
        request: the request.
        person: who is meant by `me`.
        parameters: those that the list has.
        order: the order if none is asked for.

    Raises:
        Problem: 422, something can't be read; all such parameters are named.
    """
    reading = _Reading(request, {each.name for each in parameters})
    search = Search(
        words=reading.words(),
        state=reading.one_of(STATE),
        kind=reading.one_of(KIND),
        requester=reading.person(REQUESTER, person),
        decider=reading.person(DECIDER, person),
        role=reading.text(ROLE),
        approvals=reading.approvals(),
        amount=reading.span(AMOUNT, _amount, "it must be an amount such as 1249.50"),
        asked=reading.span(ASKED, _moment, _A_MOMENT),
        decided=reading.span(DECIDED, _moment, _A_MOMENT),
        due=reading.span(DUE, _moment, _A_MOMENT),
        order=reading.one_of(SORT) or order,
    )
    if reading.faults:
        raise malformed(reading.faults)
    return search


_A_MOMENT = "it must be a moment with its offset, such as 2026-11-30T17:00:00Z"


class _Reading:
    """The parameters of one request, and what is wrong with them."""

    def __init__(self, request: func.HttpRequest, names: Collection[str]) -> None:
        self._request = request
        self._names = names
        self.faults: dict[str, str] = {}

    def text(self, parameter: Parameter) -> str | None:
        return parameter.of(self._request) if parameter.name in self._names else None

    def words(self) -> tuple[str, ...]:
        text = self.text(TEXT) or ""
        if len(text) > _LONGEST_TEXT:
            self.faults[TEXT.name] = f"it must have at most {_LONGEST_TEXT} characters"
        return tuple(dict.fromkeys(words_in(text)))

    def one_of(self, parameter: Parameter) -> Any:
        value, allowed = self.text(parameter), parameter.schema["enum"]
        if value is not None and value not in allowed:
            self.faults[parameter.name] = f"it must be one of {', '.join(allowed)}"
        return value

    def person(self, parameter: Parameter, caller: Person) -> str | None:
        named = self.text(parameter)
        return caller.id if named == "me" else named

    def approvals(self) -> int:
        text = self.text(APPROVALS) or "1"
        if not re.fullmatch(r"[1-9][0-9]?", text):
            self.faults[APPROVALS.name] = f"it must be a number from 1 to {_MOST_APPROVALS}"
            return 1
        return int(text)

    def span(
        self,
        parameters: tuple[Parameter, Parameter],
        read: Callable[[str], Value],
        expected: str,
    ) -> Span[Value]:
        ends: list[Value | None] = []
        for each in parameters:
            text = self.text(each)
            try:
                ends.append(read(text) if text is not None else None)
            except ValueError:
                self.faults[each.name] = expected
        return Span(first=ends[0], last=ends[1]) if len(ends) == len(parameters) else Span()


def _amount(text: str) -> Decimal:
    if not re.fullmatch(_AMOUNT["pattern"], text):
        raise ValueError(text)
    return Decimal(text)


def _moment(text: str) -> datetime:
    # Python 3.10 doesn't read the Z of UTC.
    moment = datetime.fromisoformat(re.sub("[zZ]$", "+00:00", text))
    if moment.tzinfo is None:
        raise ValueError(text)
    try:
        return moment.astimezone(timezone.utc)
    except OverflowError as error:
        raise ValueError(text) from error
