"""The command line: `python -m bench host [--quick]`."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Sequence

from bench import host


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one bench, print what it found and return the process's exit code."""
    parser = argparse.ArgumentParser(prog="bench", description=__doc__)
    names = parser.add_subparsers(required=True)
    local = names.add_parser("host", help="the local host, beside durabletask's own backend")
    local.add_argument("--quick", action="store_true", help="only see that it runs")
    options = parser.parse_args(arguments)
    asyncio.run(host.run(host.QUICK if options.quick else host.FULL))
    return 0


if __name__ == "__main__":
    sys.exit(main())
