"""A folder of state belongs to the way in which the app was first run with it.

Run in another way, with another storage, its orchestrations would find no ledger.
"""

from __future__ import annotations

from pathlib import Path

from devhost.state.folder import DataFolder
from local.errors import LocalError

MARK = "begun-by"


RESTORED = "restored"
"""There from when a backup was restored until all destinations were asked what they have."""


class RestoredFolder(LocalError):
    """The destinations were not asked yet since a backup was restored."""


class ForeignFolder(LocalError):
    """The folder belongs to another way to run the app."""


def claim(folder: Path, way: str) -> None:
    """Take a folder for one way to run the app, for good.

    Args:
        folder: Where it is, or will be.
        way: The options of `dev.py start` that make the difference.

    Raises:
        ForeignFolder: It was begun in another way.
        RestoredFolder: Its destinations were not asked yet since it was restored.
        StateUnusable: It is in use, or can't be used.
    """
    # The host would say so too, but only after all that is started before it.
    state = DataFolder(folder)
    state.lock()
    state.unlock()
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
