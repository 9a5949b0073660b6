"""What can foreseeably go wrong with the programs beside the app.

LocalError
├── Missing         something has to be installed first; the message says how
├── AzuriteFailed   Azurite can't start
├── NoLedger        a command has nothing to work with in the folder of data
├── NoFolder        a folder that was named is not there
├── ForeignFolder   the folder belongs to another way to run the app (see `data_folder`)
├── RestoredFolder  the destinations were not asked yet since a backup was restored
├── UnknownPerson   nobody has the id that was to be erased (see `erase`)
├── NotPossible     no backup can be made of these stores, or not there (see `backup`)
├── NotRestorable   the backup can't be put there (see `restore`)
└── ProgramEnded    a program that the others need has ended by itself
"""

from __future__ import annotations

from pathlib import Path

from local.setup.failure import DEV


class LocalError(Exception):
    """A program that the app needs on this machine does not run."""


class Missing(LocalError):
    """Something has to be installed first; the message says how."""


class AzuriteFailed(LocalError):
    """Azurite can't start."""


class NoLedger(LocalError):
    """A command has nothing to work with in the folder of data."""


class NoFolder(LocalError):
    """A folder that was named is not there."""

    def __init__(self, folder: Path) -> None:
        way = f"`{DEV} start --data {folder}` makes it"
        super().__init__(f"the folder {folder} does not exist; {way}")


class ProgramEnded(LocalError):
    """A program that the others need has ended by itself."""

    def __init__(self, name: str) -> None:
        super().__init__(f"{name} ended unexpectedly, so everything stops; run `{DEV} start` again")
