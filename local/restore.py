"""Put a backup in place: `python3 dev.py restore DIR [--data DIR] [--without-lost-texts]`.

The folder of the app's data may hold reports, which stay as they are, and keys, but no ledger: move
what is there out of the way. A restore that broke off is completed by the same command. The state
of the durable runtime is not restored: the app starts what is open from the ledgers.

Every text that a ledger refers to has to be in the backup. The index is rebuilt from the ledgers.
At the end all destinations are asked, as by `reconcile --after-restore`.

Exit codes: 0, restored; 1, restored, and what is not as the ledgers say is named; 2, it could not
be done.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from countersign.approvals.digest import sha256
from countersign.operations.lost_texts import LostText
from countersign.proof.keys import SETTING
from countersign.proof.plain import plain
from countersign.proof.public_key import OTHERS
from countersign.settings import Settings, read_settings
from countersign.signing.vault_key import ADDRESS
from countersign.stores.copying import copy_database, copy_missing
from countersign.stores.whole_file import WholeFiles, sync_folder
from countersign.wiring import services
from devhost.state.folder import DataFolder
from local import proof_key
from local.backup import FOLDERS, FORMAT, MANIFEST, NOTES
from local.copied_texts import erased_shelves, lost_in
from local.data_folder import LEDGERS, RESTORED
from local.errors import LocalError
from local.rebuild import rebuild_all
from local.reconcile import NAMED, ask_all
from local.service_command import complete_environment, parser_of, run, settings_with

_IN_THE_WAY = (f"{LEDGERS}*", "artifacts", "devhost/state.db*")
"""What an app leaves there; beside a database, its log would be taken for that of a new one."""

_UNFINISHED = ".restoring"
"""A folder in the app's data, of what is not in place yet."""


class NotRestorable(LocalError):
    """The backup can't be put there."""


def main(argv: Sequence[str]) -> int:
    """Restore a backup, and return the exit code."""
    args = _arguments(argv)

    def restore() -> int:
        _refuse_links(args.folder)
        public_keys = _read_manifest(args.folder)
        _make_sure_it_is_free(args.folder, args.data)
        settings = _settings(args.data, public_keys)
        lost = _put_in_place(args.folder, settings.data, args.without_lost_texts)
        complete_environment(settings.data)
        app = services()
        result = max(asyncio.run(rebuild_all(app)), ask_all(app))
        return max(result, NAMED) if lost else result

    return run("restore", restore)


def _refuse_links(folder: Path) -> None:
    """See that what is copied is in the backup: a link could name the key, or any other file."""
    if links := sorted(each for each in folder.rglob("*") if each.is_symlink()):
        raise NotRestorable(f"{links[0]} is a link, and a backup has none: put the file there")


def _read_manifest(folder: Path) -> Sequence[str]:
    """Return the public keys that the backup's ledgers are signed with, if it is complete."""
    if not folder.is_dir():
        raise NotRestorable(f"the folder {folder} does not exist")
    try:
        manifest: Mapping[str, Any] = json.loads((folder / MANIFEST).read_text("utf-8"))
        if manifest["format"] != FORMAT:
            raise NotRestorable(f"{folder} was made by another release")
        return list(manifest["public_keys"])
    except FileNotFoundError:
        raise NotRestorable(f"{folder} is no complete backup: it has no {MANIFEST}") from None
    except (ValueError, LookupError, TypeError) as error:
        raise NotRestorable(f"{folder / MANIFEST} can't be read") from error


def _make_sure_it_is_free(folder: Path, data: Path) -> None:
    """See that nothing is there, or what a restore of the same backup left when it broke off."""
    begun = _begun(data)
    if begun == _mark(folder):
        return
    if there := [f"{each}" for name in _IN_THE_WAY for each in sorted(data.glob(name))]:
        again = f"; a restore of another backup broke off there: {begun}" if begun else ""
        raise NotRestorable(
            f"an app has worked in {data}: move {', '.join(there)} to another folder and run this"
            f" again, or name a new folder with --data and put {proof_key.NAME} and reports from"
            f" this one into it{again}"
        )


def _begun(data: Path) -> str | None:
    """Return which backup is being restored there, None if none is."""
    try:
        return (data / RESTORED).read_text("utf-8", errors="replace")
    except FileNotFoundError:
        return None


def _mark(folder: Path) -> str:
    """Return what tells a backup apart from all others, wherever it is."""
    return f"the backup with the {MANIFEST} {sha256((folder / MANIFEST).read_bytes())}"


def _settings(data: Path, public_keys: Sequence[str]) -> Settings:
    """Return the settings of the app, which have to know the keys that its ledgers need.

    Raises:
        NotRestorable: there is no key, or a signature by one of those keys would not count.
        SettingsError: a setting is wrong.
    """
    # Without this a new key would be made, and nothing of what was signed would count.
    is_named = not {SETTING, ADDRESS}.isdisjoint(os.environ)
    if public_keys and not is_named and not (data / proof_key.NAME).exists():
        raise NotRestorable(
            f"the ledgers are signed, and there is no key: put the one from before into"
            f" {data / proof_key.NAME} or {SETTING}; its public half is one of:"
            f" {' '.join(public_keys)}"
        )
    os.environ.update(settings_with(data))
    settings = read_settings(os.environ)
    if settings.account:
        raise NotRestorable("the stores are in Azure: docs/operate.md says how they are restored")
    own = [settings.proof_key.public] if settings.proof_key else []
    known = {key.text for key in (*own, *settings.proof_keys)}
    if public_keys and own and not known & {*public_keys}:
        where = SETTING if SETTING in os.environ else data / proof_key.NAME
        raise NotRestorable(
            f"the key in {where} is not the one that the ledgers are signed with: put that one"
            f" there, whose public half is one of: {' '.join(public_keys)}. If it is lost, name"
            f" its public half in {OTHERS}"
        )
    if lost := [key for key in public_keys if key not in known]:
        raise NotRestorable(
            f"the ledgers are signed with keys that are not set: name their public halves in"
            f" {OTHERS}: {' '.join(lost)}"
        )
    return settings


def _put_in_place(folder: Path, data: Path, without_lost_texts: bool) -> Sequence[LostText]:
    """Copy what is not there yet; returns the texts that even the backup lacks.

    Raises:
        NotRestorable: it lacks some, and nobody said to go on without.
        HostError: a host is at work on the same folder.
        OSError: a file can't be copied.
        StoreError: the ledgers can't be.
    """
    own = DataFolder(data)
    own.lock()
    try:
        lost = _lost(folder, data, without_lost_texts)
        files = WholeFiles(data)
        # The first of all, so that it is known whose the rest is, and no app starts on a part.
        files.replace(data / RESTORED, _mark(folder).encode())
        # If this is done again, what was erased since the first time is not put back.
        erased = erased_shelves(data / LEDGERS)
        for name in FOLDERS:
            copy_missing(folder / name, data / name, but_not=erased)
        for name in NOTES:
            if (folder / name).exists():
                files.replace(data / name, (folder / name).read_bytes())
        _put_ledgers_in_place(folder, data)
        return lost
    finally:
        own.unlock()


def _lost(folder: Path, data: Path, without_lost_texts: bool) -> Sequence[LostText]:
    lost = lost_in(folder / LEDGERS, folder / "artifacts", data / _UNFINISHED)
    for each in lost:
        sys.stderr.write(plain(f"{each}") + "\n")
    if lost and not without_lost_texts:
        raise NotRestorable(
            "the backup lacks texts that its ledgers refer to: add them to its artifacts and run"
            " this again, or go on with --without-lost-texts"
        )
    return lost


def _put_ledgers_in_place(folder: Path, data: Path) -> None:
    """Have the ledgers there last, and whole: where they are, everything is that they name."""
    if (data / LEDGERS).exists():
        return
    unfinished = data / _UNFINISHED
    copy_database(folder / LEDGERS, unfinished / LEDGERS)
    (unfinished / LEDGERS).replace(data / LEDGERS)
    sync_folder(data)
    unfinished.rmdir()


def _arguments(argv: Sequence[str]) -> argparse.Namespace:
    parser = parser_of("restore", __doc__)
    parser.add_argument("folder", type=Path, metavar="DIR", help="the backup")
    parser.add_argument(
        "--without-lost-texts", action="store_true", help="go on though texts are lost for good"
    )
    return parser.parse_args(argv)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
