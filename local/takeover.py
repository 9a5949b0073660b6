"""Have another task hub serve the storage from now on: `python3 dev.py takeover HUB`.

Stop the deployment that served it before. Exit codes: 0, it is done; 2, it could not be.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from countersign.platform.environment import SettingsError
from countersign.proof.plain import plain
from countersign.stores.errors import StoreError
from countersign.wiring import services
from local.settings import DATA, complete

DONE, FAILED = 0, 2


def main(argv: Sequence[str]) -> int:
    """Name the hub, and return the exit code."""
    args = _arguments(argv)
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_-]*", args.hub):
        sys.stderr.write("takeover: a hub's name has letters, digits, - and _ alone\n")
        return FAILED
    os.environ.update(complete(os.environ, port=0, data=args.data))
    try:
        before = asyncio.run(services().serving.store.take_over(args.hub))
    except (SettingsError, StoreError, OSError) as error:
        sys.stderr.write(plain(f"takeover: {error}") + "\n")
        return FAILED
    served = f"; {before} did before" if before else ""
    sys.stdout.write(plain(f"{args.hub} serves this storage now{served}.") + "\n")
    if before and before != args.hub:
        sys.stdout.write(f"Undo it with: python3 dev.py takeover {before}\n")
    return DONE


def _arguments(argv: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="dev.py takeover", description=__doc__)
    parser.add_argument("hub", metavar="HUB", help="as the log and /api/health name it")
    parser.add_argument("--data", type=Path, default=DATA, metavar="DIR", help="the app's data")
    return parser.parse_args(argv)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
