"""The command line: `python -m bench host|start [--quick]`."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Sequence

from bench import host, start


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one bench, print what it found and return the process's exit code."""
    parser = argparse.ArgumentParser(prog="bench", description=__doc__)
    names = parser.add_subparsers(dest="name", required=True)
    names.add_parser("host", help="the local host, beside durabletask's own backend")
    names.add_parser("start", help="loading the app, beside a bare one")
    for bench in names.choices.values():
        bench.add_argument("--quick", action="store_true", help="only see that it runs")
    options = parser.parse_args(arguments)
    if options.name == "start":
        start.run(1 if options.quick else start.ROUNDS)
    else:
        asyncio.run(host.run(host.QUICK if options.quick else host.FULL))
    return 0


if __name__ == "__main__":
    sys.exit(main())
