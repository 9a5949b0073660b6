"""Run the sample: `python3 dev.py purchasing --data FOLDER --port N`."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path

from devhost.errors import UsageError


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until the process is asked to stop; returns its exit code."""
    options = parser().parse_args(arguments)
    try:
        return run(options)
    except ImportError as error:
        sys.stderr.write(
            f"purchasing: a package is missing ({error}): run `python3 dev.py purchasing`,"
            " which sees to that, or first `python -m pip install -r requirements-dev.txt`\n"
        )
        return 2


def run(options: argparse.Namespace) -> int:
    """Serve as the options say until the process is asked to stop; returns its exit code.

    Raises:
        ImportError: This Python is without the packages that serving takes.
    """
    from devhost.private import keep_to_user
    from samples.purchasing.books import Books
    from samples.purchasing.server import Connections, serve
    from samples.purchasing.service import Service

    keep_to_user()
    guards = frozenset({"key", "lookup"} - set(options.without))
    service = Service(
        Books(options.data), guards=guards, token=options.token, hang_up=Connections.hang_up
    )
    try:
        asyncio.run(serve(service.app(), options.port))
    except UsageError as error:
        sys.stderr.write(f"purchasing: {error}\n")
        return 2
    except KeyboardInterrupt:
        return 130
    return 0


def parser() -> argparse.ArgumentParser:
    """Return what reads the command line."""
    reader = argparse.ArgumentParser(prog="purchasing", description=__doc__)
    reader.add_argument("--data", type=Path, required=True, help="the folder of its books")
    reader.add_argument("--port", type=int, default=7080, help="0 for a free one")
    reader.add_argument(
        "--without",
        action="append",
        choices=("key", "lookup"),
        default=[],
        help="a guard that it lacks; may be repeated",
    )
    reader.add_argument("--token", help="the bearer token that it wants")
    return reader


if __name__ == "__main__":
    sys.exit(main())
