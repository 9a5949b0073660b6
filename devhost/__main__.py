"""The command line: `python -m devhost start` and `python -m devhost token`."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from devhost.clock import SystemClock
from devhost.errors import AppBroken, HostError
from devhost.host import Host, Options
from devhost.signin import Signin
from devhost.turns import Limits


def main(arguments: Sequence[str] | None = None) -> int:
    """Carry out a command and return the process's exit code."""
    options = _parser().parse_args(arguments)
    command: Callable[[argparse.Namespace], None] = options.command
    try:
        command(options)
    except HostError as error:
        print(f"devhost: {error}", file=sys.stderr)
        return 1 if isinstance(error, AppBroken) else 2
    except KeyboardInterrupt:
        return 130
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="devhost", description=__doc__)
    commands = parser.add_subparsers(required=True)
    usual = Limits()
    start = commands.add_parser("start", help="run an app, for development and tests")
    start.set_defaults(command=_start)
    start.add_argument("--app", type=Path, required=True, help="the folder with function_app.py")
    start.add_argument("--data", type=Path, required=True, help="the folder that keeps all state")
    start.add_argument("--port", type=int, default=7071, help="0 for a free one")
    start.add_argument("--host", default="127.0.0.1", help="a loopback address")
    start.add_argument("--verbose", action="store_true", help="show debug messages of the app")
    start.add_argument(
        "--episode-seconds",
        type=float,
        default=usual.episode_seconds,
        help="how long an orchestrator may run without yielding",
    )
    start.add_argument(
        "--custom-status-bytes",
        type=int,
        default=usual.custom_status_bytes,
        help="the largest custom status, in bytes of UTF-16",
    )
    token = commands.add_parser("token", help="print a token of the local sign-in")
    token.set_defaults(command=_token)
    token.add_argument("--data", type=Path, required=True, help="the data folder of the host")
    token.add_argument("--as", dest="name", required=True, help="the person's name")
    token.add_argument("--role", dest="roles", action="append", default=[], help="may be repeated")
    token.add_argument("--tenant", default="home")
    token.add_argument("--subject", help="the person's id; made from the name if left out")
    token.add_argument("--lifetime", type=float, default=43200.0, help="seconds")
    return parser


def _start(options: argparse.Namespace) -> None:
    limits = Limits(
        episode_seconds=options.episode_seconds,
        custom_status_bytes=options.custom_status_bytes,
    )
    wanted = Options(
        app=options.app,
        data=options.data,
        address=options.host,
        port=options.port,
        verbose=options.verbose,
        limits=limits,
    )
    asyncio.run(Host(wanted, SystemClock()).run())


def _token(options: argparse.Namespace) -> None:
    token = Signin(options.data, SystemClock().now).token(
        name=options.name,
        roles=options.roles,
        tenant=options.tenant,
        subject=options.subject,
        lifetime=options.lifetime,
    )
    print(token)


if __name__ == "__main__":
    sys.exit(main())
