"""A folder of state belongs to the way in which the app was first run with it.

Run in another way, with another storage, its orchestrations would find no ledger.
"""

from __future__ import annotations

from pathlib import Path

from devhost.state.folder import DataFolder
from local.errors import LocalError

MARK = "begun-by"


class ForeignFolder(LocalError):
    """The folder belongs to another way to run the app."""


def claim(folder: Path, way: str) -> None:
    """Take a folder for one way to run the app, for good.

    Args:
        folder: Where it is, or will be.
        way: The options of `dev.py start` that make the difference.

    Raises:
        ForeignFolder: It was begun in another way.
        StateUnusable: It is in use, or can't be used.
    """
    # The host would say so too, but only after all that is started before it.
    state = DataFolder(folder)
    state.lock()
    state.unlock()
    mark = folder / MARK
    begun = mark.read_text("utf-8").strip() if mark.exists() else way
    if begun != way:
        raise ForeignFolder(
            f"{folder} belongs to `dev.py start {begun}`, and its data is invisible"
            f" to `{way}`: choose another folder with --data, or delete this one"
        )
    mark.write_text(f"{way}\n", "utf-8")
