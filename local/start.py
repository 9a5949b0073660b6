"""Start the app in the local host, say where everything is, and stop it on Ctrl-C."""

from __future__ import annotations

import argparse
import os
import shlex
import signal
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from countersign.settings import SettingsError, read_settings
from devhost.errors import HostError
from devhost.process import HostFailed, HostProcess, free_port, is_free
from devhost.settings import read_settings as host_settings
from local import settings

USUAL_PORT = 7071


def main(argv: Sequence[str]) -> int:
    """Run the app until it is stopped and return the exit code."""
    args = _arguments(argv)
    try:
        host = _host(args)
        return _run(host, welcome(host.url, args.data or settings.DATA))
    except (HostError, SettingsError, ValueError) as error:
        print(f"dev.py: {error}", file=sys.stderr)
        return 1


def welcome(url: str, data: Path) -> str:
    """Return what a newcomer needs to go on: links, a token and a first request."""
    python = "py" if os.name == "nt" else "python3"
    token = f"{python} dev.py token --as Ada --role Research.Requester"
    if data != settings.DATA:
        token += f" --data {shlex.quote(str(data))}"
    return f"""
Countersign runs in the local development host. Ctrl-C stops it; its data stays in
{data}

  overview      {url}/
  health        {url}/api/health
  description   {url}/api/openapi.json
  sign in       {url}/.auth/login/dev
  a token       {token}

Ask for a report, in bash:

  curl -sS {url}/api/research -H "Authorization: Bearer $({token})" \\
    -H "Idempotency-Key: first" -H "Content-Type: application/json" \\
    -d '{{"topic": "How durable execution survives a crash"}}'

or in PowerShell:

  $token = {token}
  Invoke-RestMethod {url}/api/research -Method Post -ContentType application/json `
    -Headers @{{ Authorization = "Bearer $token"; "Idempotency-Key" = "first" }} `
    -Body '{{"topic": "How durable execution survives a crash"}}'
"""


def _run(host: HostProcess, text: str) -> int:
    for name in {"SIGTERM", "SIGHUP"} & set(dir(signal)):
        signal.signal(getattr(signal, name), signal.default_int_handler)
    try:
        host.start()
        print(text, flush=True)
        raise HostFailed(f"the host ended by itself with exit code {host.wait()}")
    except KeyboardInterrupt:
        print("Stopping.", flush=True)
        return 0
    finally:
        host.stop()


def _host(args: argparse.Namespace) -> HostProcess:
    port, data = _port(args.port), args.data or settings.DATA
    asked = {"COUNTERSIGN_DATA": args.data, "COUNTERSIGN_LIBRARY": args.library}
    environment = settings.complete(os.environ, port=port, data=data)
    environment.update((name, str(folder)) for name, folder in asked.items() if folder)
    _check(environment)
    return HostProcess(app=settings.APP, data=data, port=port, environment=environment)


def _check(environment: Mapping[str, str]) -> None:
    """Refuse settings with which the first request would fail, the app's own file included."""
    library = read_settings(host_settings(settings.APP, environment).environment).library
    if not (settings.APP / library).is_dir():
        raise ValueError(f"the library {library} is not a folder")


def _port(asked: int | None) -> int:
    if asked is None:
        return USUAL_PORT if is_free(USUAL_PORT) else free_port()
    if not is_free(asked):
        raise ValueError(f"port {asked} is taken; name another, or none to get a free one")
    return asked


def _arguments(argv: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="dev.py start", description=__doc__)
    parser.add_argument(
        "--port",
        type=int,
        choices=range(1, 65536),
        metavar="1-65535",
        help=f"default: {USUAL_PORT}, or a free one if it is taken",
    )
    parser.add_argument(
        "--data", type=_absolute, metavar="DIR", help="folder of all state (default: .data)"
    )
    parser.add_argument(
        "--library",
        type=_folder,
        metavar="DIR",
        help="folder of documents to quote from (default: the sample library)",
    )
    return parser.parse_args(argv)


def _absolute(path: str) -> Path:
    return Path(path).resolve()


def _folder(path: str) -> Path:
    if not Path(path).is_dir():
        raise argparse.ArgumentTypeError(f"{path} is not a folder")
    return _absolute(path)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
