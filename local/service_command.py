"""How the commands that work with the app's services begin, and how they fail.

Each has the settings that `dev.py start` would give the app, and tells a fault in one line. What is
not caught here is a mistake of ours, whose traceback is needed.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from collections.abc import Callable, Coroutine
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, TypeAlias

from countersign.approvals.errors import LedgerError
from countersign.platform.environment import SettingsError
from countersign.proof.errors import ProofFault
from countersign.proof.keys import NoKey
from countersign.proof.plain import plain
from countersign.services import Services
from countersign.stores.account import StorageAccount, read_account
from countersign.stores.errors import StoreError
from countersign.wiring import services
from devhost.errors import HostError
from local.data_folder import LEDGERS, refuse_slip
from local.errors import LocalError, NoLedger
from local.settings import DATA, complete
from local.unsigned import unsigned_until

DATA_SETTING = "COUNTERSIGN_DATA"

FAILED = 2
"""The exit code of every command that could not be carried out."""

FAULTS = (
    SettingsError,
    StoreError,
    LedgerError,
    ProofFault,
    NoKey,
    HostError,
    LocalError,
    OSError,
)

Work: TypeAlias = Callable[[Services], Coroutine[Any, Any, int]]
"""What a command does with the services; returns its exit code."""


def parser_of(command: str, description: str | None) -> argparse.ArgumentParser:
    """Return a parser of a command's options that has `--data` already."""
    parser = argparse.ArgumentParser(prog=f"dev.py {command}", description=description)
    named = Path(os.environ.get(DATA_SETTING) or DATA)
    parser.add_argument("--data", type=Path, default=named, metavar="DIR", help="the app's data")
    return parser


def run_with_services(command: str, data: Path, work: Work) -> int:
    """Carry out a command that works with the services.

    Args:
        command: its name.
        data: the folder of the app's data.
        work: what it does.

    Returns:
        The exit code.
    """

    def begin() -> int:
        complete_environment(data)
        return asyncio.run(work(services()))

    return run(command, begin)


def run(command: str, work: Callable[[], int]) -> int:
    """Carry out a command, and tell a fault in one line.

    Args:
        command: its name.
        work: what it does; returns its exit code.

    Returns:
        The exit code, which is `FAILED` after a fault.
    """
    try:
        return work()
    except BrokenPipeError:
        # No fault: whoever reads the output has seen enough.
        raise
    except FAULTS as error:
        sys.stderr.write(plain(f"{command}: {_told(error)}") + "\n")
        return FAILED


def _told(error: Exception) -> str:
    """Return what went wrong for people: the system's words, without its number."""
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return f"{error}"


def make_sure_of_a_ledger(data: Path) -> None:
    """See that a folder has a ledger, if it is the one that the app keeps: else its name is a slip.

    Raises:
        NoLedger: it has none. Nothing was made there.
        NoFolder: the ledger is elsewhere, and the folder is not there.
        SettingsError: the settings of a storage account contradict each other.
    """
    if _account() is None and not (data / LEDGERS).exists():
        raise NoLedger(f"there is no ledger in {data}")
    refuse_slip(data)


def _account() -> StorageAccount | None:
    try:
        return read_account(os.environ)
    except ValueError as error:
        raise SettingsError(str(error)) from error


def settings_with(data: Path) -> dict[str, str]:
    """Return this process's settings, completed for a folder of data, whatever they name."""
    return complete({**os.environ, DATA_SETTING: str(data)}, port=0, data=data)


def complete_environment(data: Path) -> None:
    """Complete this process's settings as `dev.py start` does for a folder of data.

    Raises:
        NoLedger: the stores are in the folder, and it has no ledger. Nothing is made there.
        NoFolder: the stores are elsewhere, and the folder is not there.
        SettingsError: they contradict each other.
    """
    make_sure_of_a_ledger(data)
    settings, account = settings_with(data), _account()
    os.environ.update({**unsigned_until(data, datetime.now(timezone.utc), account), **settings})
