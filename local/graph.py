"""The graph on a developer's machine: the local sign-in's people, and a folder of its own."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from countersign.graph.cli import main
from countersign.graph.failures import USAGE
from countersign.platform.environment import SettingsError, said
from countersign.stores.account import read_account
from countersign.stores.whole_file import WholeFiles
from devhost.identity.signing_key import SigningKey
from devhost.private import keep_to_user, make_private
from local.data_folder import refuse_slip
from local.declarative import bring
from local.errors import LocalError
from local.service_command import DATA_SETTING
from local.settings import DATA, complete

PROGRAM = "dev.py graph"


def settings(environment: Mapping[str, str], data: Path) -> dict[str, str]:
    """Return an environment completed for a graph that trusts the local sign-in without its server.

    The graph's data lie apart from the app's: two engines would both take up what is unfinished.

    Args:
        environment: What is set already, and stays.
        data: The folder of the app's data, with the sign-in's key in it.
    """
    keys = publish_keys(data / "devhost")
    given = {"COUNTERSIGN_TOKEN_JWKS": keys.resolve().as_uri(), **environment}
    return complete(given, port=0, data=data / "graph-engine")


def told(environment: Mapping[str, str]) -> str:
    """Return a line about the storage account that the graph writes to; empty if it writes to none.

    Raises:
        ValueError: The account's settings are malformed.
    """
    account = read_account(said(environment))
    return f"Ledger, artifacts and reports are in {account.address}.\n" if account else ""


def publish_keys(signin: Path) -> Path:
    """Return the file with the public key of the local sign-in, written if it isn't there.

    Args:
        signin: The folder with the sign-in's private key, which is made if it isn't there.

    Raises:
        SettingsError: What is there is no such key, or the folder can't be used.
    """
    keys, private = signin / "keys.json", signin / "signin.pem"
    try:
        public = SigningKey(private).public
        _publish(keys, json.dumps({"keys": [public]}).encode())
    except (ValueError, TypeError) as error:
        raise SettingsError(
            f"{private} contains no valid sign-in key; delete it ({error})"
        ) from None
    except OSError as error:
        raise SettingsError(f"the local sign-in key cannot be read: {error}") from error
    return keys


def _publish(keys: Path, document: bytes) -> None:
    # Other commands may be reading it: it is whole all the time, and mostly left alone.
    if not keys.exists() or keys.read_bytes() != document:
        WholeFiles(keys.parent).replace(keys, document)
    # A file that others could write is not trusted, and the user's umask may allow it.
    keys.chmod(0o600)


def read_yaml() -> None:
    """Have the flow in YAML read: bring the package that does; raises Missing."""
    from countersign.graph.declarative import PACKAGE

    sys.path.append(str(bring(PACKAGE)))


FOLDER = argparse.ArgumentParser(prog=PROGRAM, add_help=False, allow_abbrev=False)
"""Reads the one option that the graph has on a developer's machine only."""

FOLDER.add_argument(
    "--data", type=Path, metavar="DIR", help=f"the app's data (default: {DATA.name})"
)


def data_in(argv: Sequence[str]) -> tuple[Path | None, Sequence[str]]:
    """Return the folder of the app's data, None if none is named, and the rest of the line."""
    found, rest = FOLDER.parse_known_args(argv)
    return found.data, rest


def environment_for(environment: Mapping[str, str], named: Path | None) -> dict[str, str]:
    """Return an environment completed for the folder that the command line names, or the usual one.

    Raises:
        NoFolder: What it names is not there.
        OSError: The usual one can't be made.
        SettingsError: The sign-in's key can't be used.
    """
    if named is None:
        make_private(DATA)
        return settings(environment, DATA)
    refuse_slip(named)
    others = {name: value for name, value in environment.items() if name != DATA_SETTING}
    return settings(others, named)


if __name__ == "__main__":
    keep_to_user()
    named, words = data_in(sys.argv[1:])
    try:
        os.environ.update(environment_for(os.environ, named))
        sys.stderr.write(told(os.environ))
        if "--yaml" in words:
            read_yaml()
    except (SettingsError, LocalError, ValueError, OSError) as error:
        sys.stderr.write(f"{error}\n")
        sys.exit(USAGE)
    sys.exit(main(words, PROGRAM, [FOLDER]))
