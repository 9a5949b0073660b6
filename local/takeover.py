"""Have another task hub serve the storage from now on: `python3 dev.py takeover HUB`.

Stop the deployment that served it before. Exit codes: 0, it is done; 2, it could not be.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence

from countersign.proof.plain import plain
from countersign.services import Services
from local.service_command import parser_of, run_with_services

DONE = 0


def main(argv: Sequence[str]) -> int:
    """Name the hub, and return the exit code."""
    args = _arguments(argv)
    return run_with_services("takeover", args.data, lambda app: _taken_over(app, args.hub))


async def _taken_over(app: Services, hub: str) -> int:
    before = await app.serving.store.take_over(hub)
    served = f"; {before} did before" if before else ""
    sys.stdout.write(plain(f"{hub} serves this storage now{served}.") + "\n")
    if before and before != hub:
        sys.stdout.write(f"Undo it with: python3 dev.py takeover {before}\n")
    return DONE


def _hub(text: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_-]*", text):
        raise argparse.ArgumentTypeError("use letters, digits, - and _ only")
    return text


def _arguments(argv: Sequence[str]) -> argparse.Namespace:
    parser = parser_of("takeover", __doc__)
    parser.add_argument("hub", type=_hub, metavar="HUB", help="as the log and /api/health name it")
    return parser.parse_args(argv)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
