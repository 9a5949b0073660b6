"""Copy the embedded stores, while the app may run: `python3 dev.py backup DIR`.

A backup holds the ledgers with their index, all texts, and the reports that were published. It
holds no key: it names those that the ledgers are signed with, and how they are kept is up to you.
It is complete once `backup.json` is in it.

Exit codes: 0, the backup is complete; 1, it has all that there is, but the app's data lacks texts,
which are named; 2, it could not be made.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import uuid
from collections.abc import Sequence
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from countersign.operations.lost_texts import LostText
from countersign.proof.plain import plain
from countersign.settings import Settings, read_settings
from countersign.stores.copying import copy_database, copy_missing
from countersign.stores.whole_file import WholeFiles
from devhost.private import make_private
from local import unsigned
from local.copied_texts import lost_in
from local.data_folder import LEDGERS, MARK
from local.errors import LocalError
from local.service_command import make_sure_of_a_ledger, parser_of, run, settings_with

MADE, LACKING = 0, 1

MANIFEST = "backup.json"
FOLDERS = ("artifacts", "reports")
NOTES = (MARK, unsigned.RECORD)
"""Small files that say how the folder is worked with."""

FORMAT = 1


class NotPossible(LocalError):
    """No backup can be made of these stores, or not there."""


def main(argv: Sequence[str]) -> int:
    """Make a backup, and return the exit code."""
    args = _arguments(argv)

    def back_up() -> int:
        make_sure_of_a_ledger(args.data)
        os.environ.update(settings_with(args.data))
        settings = read_settings(os.environ)
        _make_sure_it_is_possible(settings, args.folder)
        lost = make_backup(settings, args.folder)
        for each in lost:
            sys.stderr.write(plain(f"{each}") + "\n")
        whole = "a copy of what there is in" if lost else "a complete backup of"
        sys.stdout.write(plain(f"{args.folder} is {whole} {settings.data}.") + "\n")
        return LACKING if lost else MADE

    return run("backup", back_up)


def make_backup(settings: Settings, folder: Path) -> Sequence[LostText]:
    """Copy the embedded stores into an empty folder.

    Args:
        settings: those of the app.
        folder: where to.

    Returns:
        The texts that the copied ledgers refer to, and that are missing or damaged.

    Raises:
        StoreError: the ledgers can't be copied.
        OSError: a file can't be copied.
    """
    make_private(folder)
    # Whatever a ledger names was kept before it was recorded, so what is copied later is there.
    copy_database(settings.data / LEDGERS, folder / LEDGERS)
    for name in FOLDERS:
        copy_missing(settings.data / name, folder / name)
    files = WholeFiles(folder)
    for name in NOTES:
        if (note := settings.data / name).exists():
            files.replace(folder / name, note.read_bytes())
    lost = lost_in(folder / LEDGERS, folder / "artifacts", folder / ".checked")
    text = json.dumps(_manifest(settings), indent=2) + "\n"
    files.replace(folder / MANIFEST, text.encode())
    return lost


def _manifest(settings: Settings) -> dict[str, Any]:
    own = (settings.proof_key.public,) if settings.proof_key else ()
    return {
        "format": FORMAT,
        "id": uuid.uuid4().hex,
        "made_at": datetime.now(timezone.utc).isoformat(timespec="seconds"),
        "public_keys": [key.text for key in (*own, *settings.proof_keys)],
    }


def _make_sure_it_is_possible(settings: Settings, folder: Path) -> None:
    if settings.account:
        raise NotPossible("the stores are in Azure: docs/operate.md says how they are copied")
    if folder.exists() and any(folder.iterdir()):
        raise NotPossible(f"{folder} is not empty")


def _arguments(argv: Sequence[str]) -> argparse.Namespace:
    parser = parser_of("backup", __doc__)
    parser.add_argument("folder", type=Path, metavar="DIR", help="a new or empty folder")
    return parser.parse_args(argv)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
