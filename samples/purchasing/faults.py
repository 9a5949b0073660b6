"""What can go wrong with the answer to an order, by name, such as `drop` and `slow:3.0`."""

from __future__ import annotations

import re
from dataclasses import dataclass

_WAITING = ("slow", "late")
_FAULT = re.compile(
    r"(drop|error_after|unavailable|wrong_amount|slow|late)(?::([0-9]+(?:\.[0-9]+)?))?"
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Fault:
    """One fault.

    Attributes:
        name: `drop`, accept and close the connection without an answer; `error_after`, accept and
            answer 500; `unavailable`, answer 503 without accepting; `slow`, accept, and wait before
            answering; `late`, wait before accepting; `wrong_amount`, accept ten times the total.
            Empty for none.
        seconds: how long to wait.
    """

    name: str = ""
    seconds: float = 0.0


def read_fault(text: str) -> Fault:
    """Return the fault of a name, with seconds after a colon where it is one of waiting.

    Raises:
        ValueError: there is no such fault.
    """
    found = _FAULT.fullmatch(text)
    if found is None or (found[1] in _WAITING) != (found[2] is not None):
        raise ValueError(f"there is no fault {text!r}")
    return Fault(name=found[1], seconds=float(found[2] or 0))
