"""Have another task hub serve the storage from now on: `python3 dev.py takeover HUB`.

Stop the deployment that serves it first, and say so with `--stopped`: two that work on one storage
would both go on with what they have begun, for up to a minute. Exit codes: 0, it is done; 2, it
could not be.
"""

from __future__ import annotations

import argparse
import re
import shlex
import sys
from collections.abc import Sequence

from countersign.proof.plain import plain
from countersign.services import Services
from local.errors import LocalError
from local.service_command import parser_of, run_with_services

DONE = 0


class StillServed(LocalError):
    """Another hub serves the storage, and nobody said that it is stopped."""


def main(argv: Sequence[str]) -> int:
    """Name the hub, and return the exit code."""
    args = _arguments(argv)
    return run_with_services(
        "takeover", args.data, lambda app: _taken_over(app, args.hub, args.stopped)
    )


async def _taken_over(app: Services, hub: str, stopped: bool) -> int:
    serves = await app.serving.store.named()
    if serves not in (None, hub) and not stopped:
        since = await app.serving.store.since()
        has_served = f" since {since:%Y-%m-%d %H:%M} UTC" if since else ""
        raise StillServed(
            f"{serves} serves this storage{has_served}, and continues what it has begun for up to"
            " a minute after a takeover: stop that deployment, then run this again with --stopped"
        )
    before = await app.serving.store.take_over(hub)
    served = f"; {before} did before" if before else ""
    sys.stdout.write(plain(f"{hub} serves this storage now{served}.") + "\n")
    if before and before != hub:
        sys.stdout.write(f"Undo it with: python3 dev.py takeover --stopped {shlex.quote(before)}\n")
    return DONE


def _hub(text: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_-]*( in [A-Za-z0-9][A-Za-z0-9.-]*)?", text):
        raise argparse.ArgumentTypeError(
            "use letters, digits, - and _ only, and name its backend, if it has one, as in"
            ' "HUB in HOST"'
        )
    return text


def _arguments(argv: Sequence[str]) -> argparse.Namespace:
    parser = parser_of("takeover", __doc__)
    parser.add_argument("hub", type=_hub, metavar="HUB", help="as the log and /api/health name it")
    parser.add_argument(
        "--stopped", action="store_true", help="say that no other hub works on the storage any more"
    )
    return parser.parse_args(argv)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
