"""Why a command did not do what was asked, the same for people, for programs and for shells."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from typing import NoReturn

from pydantic import ValidationError

from countersign.approvals.errors import Refusal
from countersign.graph.errors import (
    FAULTS,
    AnotherLibrary,
    CheckpointError,
    NotConfigured,
    ServedByAnother,
    TurnTaken,
    UnknownOperation,
    WaitsForOperator,
)
from countersign.identity.errors import KeysUnavailable, Unauthenticated
from countersign.operations.allowances import AllowanceUsed
from countersign.operations.refusals import explain, malformed
from countersign.platform.environment import SettingsError

DONE, REFUSED, USAGE, NOBODY, STUCK, INTERRUPTED, UNHEARD = 0, 1, 2, 3, 4, 130, 141
"""Exit codes: done (or waiting for a person), refused by the rules, wrong usage, no valid token,
can't go on now, Ctrl-C, nobody reads what is printed."""

_STUCK: tuple[tuple[type[Exception], str], ...] = (
    (WaitsForOperator, "needs_operator"),
    (CheckpointError, "checkpoint_unusable"),
    (AnotherLibrary, "another_library"),
    (UnknownOperation, "unknown_operation"),
    (NotConfigured, "not_configured"),
    (TurnTaken, "busy"),
    (ServedByAnother, "served_by_another"),
)


class Refused(Exception):
    """The rules refuse what was asked."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__()
        self.refusal = refusal


class Stuck(Exception):
    """A graph can't go on now; the message says what stands and what helps."""


class WrongUsage(SystemExit):
    """A command line that can't be read; the usage was printed."""

    def __init__(self, message: str) -> None:
        super().__init__(USAGE)
        self.message = message


class Reader(argparse.ArgumentParser):
    """A parser that keeps what was wrong, also for programs."""

    def error(self, message: str) -> NoReturn:
        """Print the usage and the message as every command does, then end."""
        try:
            super().error(message)
        except SystemExit:
            raise WrongUsage(message) from None


@dataclass(frozen=True, kw_only=True, slots=True)
class Failure:
    """What is told of a command that failed.

    Attributes:
        exit_code: the process's.
        code: what programs tell the cases apart by; a refusal has that of the HTTP API.
        detail: a sentence for people.
    """

    exit_code: int
    code: str
    detail: str


EXPECTED = (
    Refused,
    Stuck,
    WrongUsage,
    Unauthenticated,
    KeysUnavailable,
    ValidationError,
    SettingsError,
    ValueError,
    *FAULTS,
)
"""What `failure_of` knows; anything else is a fault of the program's."""


def failure_of(error: BaseException) -> Failure:
    """Return the failure to report for one of the `EXPECTED` errors."""
    match error:
        case Refused(refusal=refusal):
            told = explain(refusal)
            return Failure(exit_code=REFUSED, code=told.code, detail=f"{told.code}: {told.detail}")
        case AllowanceUsed(code=code):
            return Failure(exit_code=REFUSED, code=code, detail=f"{code}: {error}")
        case WrongUsage(message=message):
            return Failure(exit_code=USAGE, code="usage", detail=message)
        case Unauthenticated() | KeysUnavailable():
            lacking = isinstance(error, KeysUnavailable)
            code = "keys_unavailable" if lacking else "unauthenticated"
            return Failure(exit_code=NOBODY, code=code, detail=f"{error}.")
        case ValidationError():
            detail = explain(malformed(error)).detail
            return Failure(exit_code=USAGE, code="malformed", detail=detail)
        case Stuck():
            return Failure(exit_code=STUCK, code="unavailable", detail=f"{error}.")
        case _ if isinstance(error, FAULTS):
            code = next((name for kind, name in _STUCK if isinstance(error, kind)), "unavailable")
            return Failure(exit_code=STUCK, code=code, detail=f"{error}.")
        case _:
            return Failure(exit_code=USAGE, code="usage", detail=f"{error}")
