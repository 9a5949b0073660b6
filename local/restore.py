"""Put a backup in place: `python3 dev.py restore DIR [--data DIR]`.

The folder of the app's data may hold reports, which stay as they are, and keys, but no ledger: move
what is there out of the way. The state of the durable runtime is not restored: the app starts what
is open from the ledgers. At the end all destinations are asked, as by `reconcile --after-restore`.

Exit codes: 0, restored; 1, restored, and what is not as the ledgers say is named; 2, it could not
be done.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from countersign.proof.keys import OTHERS, SETTING
from countersign.settings import Settings, read_settings
from countersign.stores.copying import copy_database, copy_missing
from countersign.wiring import services
from local import proof_key
from local.backup import DATABASE, FOLDERS, FORMAT, MANIFEST, NOTES
from local.data_folder import RESTORED
from local.errors import LocalError
from local.reconcile import ask_all
from local.service_command import complete_environment, parser_of, run
from local.settings import complete

_IN_THE_WAY = (DATABASE, "artifacts", "devhost/state.db")


class NotRestorable(LocalError):
    """The backup can't be put there."""


def main(argv: Sequence[str]) -> int:
    """Restore a backup, and return the exit code."""
    args = _arguments(argv)

    def restore() -> int:
        public_keys = _read_manifest(args.folder)
        _make_sure_it_is_free(args.data)
        settings = _settings(args.data, public_keys)
        _put_in_place(args.folder, settings.data)
        complete_environment(settings.data)
        return ask_all(services())

    return run("restore", restore)


def _read_manifest(folder: Path) -> Sequence[str]:
    """Return the public keys that the backup's ledgers are signed with, if it is complete."""
    try:
        manifest: Mapping[str, Any] = json.loads((folder / MANIFEST).read_text("utf-8"))
        if manifest["format"] != FORMAT:
            raise NotRestorable(f"{folder} was made by another release")
        return list(manifest["public_keys"])
    except FileNotFoundError:
        raise NotRestorable(f"{folder} is no complete backup: it has no {MANIFEST}") from None
    except (ValueError, LookupError, TypeError) as error:
        raise NotRestorable(f"{folder / MANIFEST} can't be read") from error


def _make_sure_it_is_free(data: Path) -> None:
    for name in _IN_THE_WAY:
        if (data / name).exists():
            raise NotRestorable(
                f"{data / name} is there already: move everything but reports and keys away"
            )


def _settings(data: Path, public_keys: Sequence[str]) -> Settings:
    """Return the settings of the app, which have to know the keys that its ledgers need.

    Raises:
        NotRestorable: there is no key, or a signature by one of those keys would not count.
        SettingsError: a setting is wrong.
    """
    # Without this a new key would be made, and nothing of what was signed would count.
    if public_keys and SETTING not in os.environ and not (data / proof_key.NAME).exists():
        raise NotRestorable(
            f"the ledgers are signed, and there is no key: put the one from before into"
            f" {data / proof_key.NAME} or {SETTING}; its public half is one of {public_keys}"
        )
    os.environ.update(complete(os.environ, port=0, data=data))
    settings = read_settings(os.environ)
    if settings.account:
        raise NotRestorable("the stores are in Azure: docs/operate.md says how they are restored")
    own = [settings.proof_key.public] if settings.proof_key else []
    known = {key.text for key in (*own, *settings.proof_keys)}
    if lost := [key for key in public_keys if key not in known]:
        raise NotRestorable(
            f"the ledgers are signed with keys that are not set: name their public halves in"
            f" {OTHERS}: {' '.join(lost)}"
        )
    return settings


def _put_in_place(folder: Path, data: Path) -> None:
    data.mkdir(parents=True, exist_ok=True)
    for name in FOLDERS:
        copy_missing(folder / name, data / name)
    for name in NOTES:
        if (folder / name).exists():
            (data / name).write_bytes((folder / name).read_bytes())
    (data / RESTORED).write_text("The destinations were not asked yet.\n", "utf-8")
    # The ledgers come last, and whole: where they are, everything is that they name.
    unfinished = data / f"{DATABASE}.restoring"
    unfinished.unlink(missing_ok=True)
    copy_database(folder / DATABASE, unfinished)
    unfinished.replace(data / DATABASE)


def _arguments(argv: Sequence[str]) -> argparse.Namespace:
    parser = parser_of("restore", __doc__)
    parser.add_argument("folder", type=Path, metavar="DIR", help="the backup")
    return parser.parse_args(argv)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
