"""The command line: `python -m devhost` and then `start`, `token` or `signin`."""

from __future__ import annotations

import argparse
import asyncio
import secrets
import shutil
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from devhost.engine.turns import Limits
from devhost.engine.weather import AZURE_STORAGE
from devhost.errors import AppNotLoaded, HostError, UsageError
from devhost.host import Host
from devhost.options import Options
from devhost.private import keep_to_user
from devhost.state.folder import DataFolder
from devhost.time.clock import SystemClock
from devhost.time.virtual_clock import kept_time


def main(arguments: Sequence[str] | None = None, program: str = "devhost") -> int:
    """Carry out a command and return the process's exit code.

    Args:
        arguments: The command line; that of this process by default.
        program: What help and faults call the program.
    """
    options = parser(program).parse_args(arguments)
    keep_to_user()
    command: Callable[[argparse.Namespace], None] = options.command
    try:
        command(options)
    except HostError as error:
        print(f"{program}: {error}", file=sys.stderr)
        return 1 if isinstance(error, AppNotLoaded) else 2
    except KeyboardInterrupt:
        return 130
    return 0


def parser(program: str = "devhost") -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    reader = argparse.ArgumentParser(prog=program, description=__doc__)
    commands = reader.add_subparsers(required=True)
    _add_start(commands.add_parser("start", help="run an app, for development and tests"))
    token = commands.add_parser("token", help="print a token of the local sign-in")
    token.set_defaults(command=_token)
    token.add_argument("--data", type=Path, required=True, help="the data folder of the host")
    token.add_argument("--as", dest="name", required=True, help="the person's name")
    token.add_argument("--role", dest="roles", action="append", default=[], help="may be repeated")
    token.add_argument("--tenant", default="home")
    token.add_argument("--subject", help="the person's id; made from the name if left out")
    token.add_argument("--lifetime", type=float, default=43200.0, help="seconds")
    token.add_argument(
        "--program", action="store_true", help="a token that a program got for itself"
    )
    signin = commands.add_parser("signin", help="serve the local sign-in for another host's app")
    signin.set_defaults(command=_signin)
    signin.add_argument("--data", type=Path, required=True, help="the folder of its signing key")
    signin.add_argument("--port", type=int, default=7072, help="0 for a free one")
    return reader


def _add_start(start: argparse.ArgumentParser) -> None:
    start.set_defaults(command=_start)
    start.add_argument(
        "--app", type=Path, default=Path(), help="the folder with function_app.py (default: .)"
    )
    start.add_argument(
        "--data", type=Path, help="the folder that keeps all state (default: .data in the app's)"
    )
    start.add_argument(
        "--port", type=int, help="0 for a free one (default: 7071, or Host.LocalHttpPort)"
    )
    start.add_argument("--host", default="127.0.0.1", help="a loopback address")
    start.add_argument(
        "--verbose", action="store_true", help="show calls, messages and what libraries log"
    )
    start.add_argument(
        "--reload",
        action=argparse.BooleanOptionalAction,
        default=sys.stdout.isatty(),
        help="follow changes of the app's source (by default in a terminal only)",
    )
    start.add_argument(
        "--local-settings",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="read local.settings.json of the app's folder",
    )
    start.add_argument(
        "--clock",
        choices=("system", "virtual"),
        default="system",
        help="virtual: the time only moves by POST /devhost/clock/advance",
    )
    start.add_argument(
        "--python", default=sys.executable, help="the interpreter that runs the app, if another"
    )
    _add_limits(start)
    _add_weather(start)


def _add_limits(start: argparse.ArgumentParser) -> None:
    usual = Limits()
    start.add_argument(
        "--worker-memory",
        type=float,
        default=2048.0,
        metavar="MB",
        help="the most memory that the app may use (enforced on Linux only)",
    )
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


def _add_weather(start: argparse.ArgumentParser) -> None:
    start.add_argument(
        "--weather",
        choices=("fair", AZURE_STORAGE),
        default="fair",
        help=f"{AZURE_STORAGE}: late, twice and out of order, as that engine may",
    )
    start.add_argument(
        "--weather-seed",
        type=int,
        default=secrets.randbelow(1_000_000),
        metavar="N",
        help="what the weather is drawn from (by default another one each time)",
    )


def _start(options: argparse.Namespace) -> None:
    limits = Limits(
        episode_seconds=options.episode_seconds,
        custom_status_bytes=options.custom_status_bytes,
    )
    wanted = Options(
        app=options.app,
        data=options.data or options.app / ".data",
        address=options.host,
        port=options.port,
        verbose=options.verbose,
        reload=options.reload,
        local_settings=options.local_settings,
        virtual=options.clock == "virtual",
        python=_interpreter(options.python),
        worker_memory=options.worker_memory * 2**20,
        limits=limits,
        weather=options.weather,
        seed=options.weather_seed,
    )
    asyncio.run(_run(wanted))


async def _run(options: Options) -> None:
    await Host(options).run()


def _interpreter(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        raise UsageError(f"--python {name} is no program that can be run")
    # The worker starts in the app's folder. A link must stay one: it tells the virtual environment.
    return str(Path(found).absolute())


def _token(options: argparse.Namespace) -> None:
    from devhost.identity.tokens import Tokens

    moment = kept_time(DataFolder(options.data).clock) or SystemClock().now()
    token = Tokens(options.data, lambda: moment).token(
        name=options.name,
        roles=options.roles,
        tenant=options.tenant,
        subject=options.subject,
        lifetime=options.lifetime,
        program=options.program,
    )
    print(token)


def _signin(options: argparse.Namespace) -> None:
    from devhost.issuer import Issuer

    asyncio.run(Issuer(options.data, options.port).run())


if __name__ == "__main__":
    sys.exit(main())
