"""A folder of state belongs to the way in which the app was first run with it.

Run in another way, with another storage, its orchestrations would find no ledger.
"""

from __future__ import annotations

from pathlib import Path

from devhost.state.folder import DataFolder
from local.errors import LocalError, NoFolder
from local.settings import DATA

MARK = "begun-by"

LEDGERS = "countersign.db"
"""The ledgers of the embedded stores."""

RESTORED = "restored"
"""There from the beginning of a restore until all destinations were asked what they have."""


class RestoredFolder(LocalError):
    """A backup was not restored to the end, or the destinations were not asked yet since."""


class ForeignFolder(LocalError):
    """The folder belongs to another way to run the app."""


def claim(folder: Path, way: str) -> None:
    """Take a folder for one way to run the app, for good.

    Args:
        folder: Where it is, or will be.
        way: The options of `dev.py start` that make the difference.

    Raises:
        ForeignFolder: It was begun in another way.
        RestoredFolder: It is not restored to the end, or its destinations were not asked since.
        StateUnusable: It is in use, or can't be used.
    """
    # The host would say so too, but only after all that is started before it.
    state = DataFolder(folder)
    state.lock()
    state.unlock()
    make_sure_it_is_restored(folder)
    if (folder / RESTORED).exists():
        raise RestoredFolder(
            f"{folder} was restored from a backup: run `dev.py reconcile --after-restore"
            f" --data {folder}` first, so that nothing is decided that was carried out already"
        )
    mark = folder / MARK
    begun = mark.read_text("utf-8").strip() if mark.exists() else way
    if begun != way:
        raise ForeignFolder(
            f"{folder} belongs to `dev.py start {begun}`, and its data is invisible"
            f" to `{way}`: choose another folder with --data, or delete this one"
        )
    mark.write_text(f"{way}\n", "utf-8")


def refuse_slip(folder: Path) -> None:
    """See that a folder is there, if it is not the usual one: else its name is a slip.

    Raises:
        NoFolder: it is not.
    """
    if folder != DATA and not folder.is_dir():
        raise NoFolder(folder)


def make_sure_it_is_restored(folder: Path) -> None:
    """See that no restore of a backup into this folder broke off before the ledgers were there.

    Raises:
        RestoredFolder: One did.
    """
    if (folder / RESTORED).exists() and not (folder / LEDGERS).exists():
        raise RestoredFolder(
            f"a backup was not restored to the end in {folder}: run `dev.py restore DIR"
            f" --data {folder}` again, which completes it"
        )
