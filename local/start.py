"""Start the app and the programs that it needs, print the links, and stop everything on Ctrl-C."""

from __future__ import annotations

import argparse
import os
import shlex
import signal
import sys
from collections.abc import Mapping, Sequence
from datetime import datetime, timezone
from pathlib import Path
from threading import Thread
from typing import TypeAlias

from countersign.platform.environment import SettingsError
from countersign.stores.account import DEVELOPMENT_ACCOUNT
from countersign.team.chat import EXTRACTIVE, ModelChoice
from devhost.errors import HostError
from devhost.private import keep_to_user
from devhost.process import HostProcess, free_port, is_free
from local import issuer, llama, purchasing, settings
from local.azurite import Azurite
from local.backend import start_backend
from local.data_folder import claim
from local.dev_process import end_with_dev
from local.doctor.model import examine_model
from local.errors import LocalError
from local.func import FuncProcess, find_func, func_environment
from local.gguf import PUBLISHED, find_model
from local.issuer import IssuerProcess
from local.llama import LlamaProcess
from local.node import find_node
from local.programs import Programs
from local.purchasing import PurchasingProcess
from local.setup.failure import DEV
from local.unsigned import unsigned_until
from local.welcome import welcome

USUAL_PORT = 7071

Begun: TypeAlias = "tuple[str, ModelChoice | None]"
"""What people are told once all runs, and the model whose state is still to be found out."""


def main(argv: Sequence[str]) -> int:
    """Run the app until it is stopped and return the exit code."""
    args = _arguments(argv)
    keep_to_user()
    end_with_dev()
    for name in {"SIGTERM", "SIGHUP"} & set(dir(signal)):
        signal.signal(getattr(signal, name), signal.default_int_handler)
    try:
        with Programs() as programs:
            return _run(programs, args)
    except (HostError, LocalError, SettingsError, ValueError, OSError) as error:
        print(f"dev.py: {_with_command(error, args.data)}", file=sys.stderr)
        return 1


def _with_command(error: Exception, data: Path | None) -> str:
    """Return why it failed, with a command that helps, unless it names one itself."""
    told = str(error)
    if "`" in told:
        return told
    told = told.rstrip(".")
    if isinstance(error, LocalError):
        # The doctor does not look at what a few options bring along.
        return f"{told}: fix that, and then run `{DEV} start` again"
    doctor = f"{DEV} doctor" + (f" --data {shlex.quote(str(data))}" if data else "")
    return f"{told}: `{doctor}` shows the cause"


def _run(programs: Programs, args: argparse.Namespace) -> int:
    begin = _begin_with_func if args.func else _begin_with_devhost
    try:
        told, model = begin(programs, args)
        print(told, flush=True)
        if model:
            _ask(model)
        programs.wait()
    except KeyboardInterrupt:
        print("Stopping.", flush=True)
    return 0


def _begin_with_devhost(programs: Programs, args: argparse.Namespace) -> Begun:
    on_azurite = args.storage == "azurite"
    # Orchestrations of one storage would find nothing in the other: each has a folder of its own.
    data = args.data or (settings.DATA / "azurite" if on_azurite else settings.DATA)
    port = _port(args.port)
    claim(data, f"--storage {args.storage or 'embedded'}")
    environment = _environment(args, port=port, data=data)
    storage = _start_azurite(programs, data) if on_azurite else ""
    if args.storage:
        environment = settings.keep_in(environment, storage)
    environment, model = _start_model(programs, environment, args.model)
    environment, links = _start_purchasing(programs, environment, data)
    host = HostProcess(app=settings.APP, data=data, port=port, environment=environment)
    programs.start("the host", host)
    told = welcome(
        url=host.url,
        signin=host.url,
        data=data,
        told=f"Countersign runs in the local development host. {_kept(environment, data)}",
        links={"overview": f"{host.url}/", **links},
    )
    return told, model


def _begin_with_func(programs: Programs, args: argparse.Namespace) -> Begun:
    # Whatever is missing is said before anything is started.
    find_func()
    find_node()
    data = args.data or settings.DATA / "functions"
    port = _port(args.port)
    signin = IssuerProcess(data=data, port=_usual_or_free(issuer.USUAL_PORT))
    claim(data, f"--func --storage {args.storage or 'azurite'}")
    environment = _environment(args, port=port, data=data, signin=signin.port)
    storage = _start_azurite(programs, data)
    environment = settings.keep_in(environment, "" if args.storage == "embedded" else storage)
    environment, model = _start_model(programs, environment, args.model)
    environment, links = _start_purchasing(programs, environment, data)
    told = _kept(environment, data)
    backend, more = start_backend()
    environment = func_environment(environment, storage=storage, hub="default", backend=backend)
    programs.start("the sign-in", signin)
    host = FuncProcess(port=port, environment=environment)
    programs.start("`func start`", host)
    told = welcome(
        url=host.url,
        signin=signin.url,
        data=data,
        told=f"Countersign runs in Azure Functions Core Tools. {told}\n{more}",
        links=links,
    )
    return told, model


def _start_azurite(programs: Programs, data: Path) -> str:
    azurite = Azurite(data / "storage")
    programs.start(f"Azurite (its log is {azurite.log})", azurite)
    return azurite.connection_string


def _start_model(
    programs: Programs, environment: Mapping[str, str], asked: str | None
) -> tuple[dict[str, str], ModelChoice | None]:
    """Start a model on this machine, if one is asked for.

    Returns:
        The settings that name it, and the model of the settings, if that is one to be asked.
    """
    if asked is None:
        chosen = settings.read(environment).model
        return {**environment}, None if chosen.provider == EXTRACTIVE else chosen
    model = LlamaProcess(model=find_model(asked), port=_usual_or_free(llama.USUAL_PORT))
    programs.start("the model's server", model)
    return {**environment, **model.settings}, None


def _ask(model: ModelChoice) -> None:
    """Have it said what of the model is found out, while people can begin already."""
    print(f"Asking the model {model.model} for a small plan, to see whether it can work ...")
    asking = Thread(target=lambda: print(examine_model(model), flush=True), daemon=True)
    asking.start()


def _start_purchasing(
    programs: Programs, environment: Mapping[str, str], data: Path
) -> tuple[dict[str, str], dict[str, str]]:
    """Start the sample of a purchasing system unless the settings name another system.

    The sample of the settings names this one, at its usual port.

    Returns:
        The settings that name it, and where its orders are shown.
    """
    named = settings.read(environment).purchasing
    if named and named.url.rstrip("/") != f"http://127.0.0.1:{purchasing.USUAL_PORT}":
        return {**environment}, {}
    service = PurchasingProcess(
        data=data / "purchasing", port=_usual_or_free(purchasing.USUAL_PORT)
    )
    programs.start("the purchasing service", service)
    beside = {**environment, "COUNTERSIGN_PURCHASING_URL": service.url}
    return beside, {"orders": f"{service.url}/orders"}


def _environment(
    args: argparse.Namespace, *, port: int, data: Path, signin: int | None = None
) -> dict[str, str]:
    """Return the app's settings: those of this environment, completed for this machine."""
    asked = {"COUNTERSIGN_DATA": args.data, "COUNTERSIGN_LIBRARY": args.library}
    environment = settings.complete(os.environ, port=port, data=data, signin=signin)
    environment.update((name, str(folder)) for name, folder in asked.items() if folder)
    # What is wrong with them is said before anything is started.
    account = settings.read(environment).account
    in_folder = args.func or args.storage
    now = datetime.now(timezone.utc)
    return {**unsigned_until(data, now, None if in_folder else account), **environment}


def _kept(environment: Mapping[str, str], data: Path) -> str:
    account = settings.read(environment).account
    if account is None:
        return f"All data is in\n{data}"
    in_azurite = DEVELOPMENT_ACCOUNT in (account.connection_string or "")
    kind = "Azurite" if in_azurite else "Azure Storage"
    where = f"{kind} ({account.address})"
    return f"Its ledger, artifacts and reports are in {where}, everything else is in\n{data}"


def _port(asked: int | None) -> int:
    if asked is None:
        return _usual_or_free(USUAL_PORT)
    if not is_free(asked):
        raise ValueError(f"port {asked} is in use; `{DEV} start` chooses a free one")
    return asked


def _usual_or_free(port: int) -> int:
    return port if is_free(port) else free_port()


def _arguments(argv: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="dev.py start", description=__doc__)
    parser.add_argument(
        "--port",
        type=_port_number,
        metavar="1-65535",
        help=f"default: {USUAL_PORT}, or a free port if it is in use",
    )
    parser.add_argument(
        "--data",
        type=_absolute,
        metavar="DIR",
        help="data folder (default: .data; for Azurite and Core Tools a folder inside it)",
    )
    parser.add_argument(
        "--library",
        type=_folder,
        metavar="DIR",
        help="folder of documents for research (default: the sample library)",
    )
    parser.add_argument(
        "--model",
        metavar=f"{{{','.join(PUBLISHED)},FILE.gguf}}",
        help="run a language model on this machine instead of the one in the settings"
        " (small takes minutes for a report, and 1.1 GB of memory and disk; tiny less than half)",
    )
    parser.add_argument(
        "--func", action="store_true", help="run it in Azure Functions Core Tools, with Azurite"
    )
    parser.add_argument(
        "--storage",
        choices=("embedded", "azurite"),
        help="where to keep ledger, artifacts and reports (default: as in the settings, or else"
        " embedded; with --func azurite)",
    )
    return parser.parse_args(argv)


def _port_number(text: str) -> int:
    if not (text.isdecimal() and 1 <= int(text) <= 65535):
        raise argparse.ArgumentTypeError(f"{text!r} is not a port from 1 to 65535")
    return int(text)


def _absolute(path: str) -> Path:
    return Path(path).resolve()


def _folder(path: str) -> Path:
    if not Path(path).is_dir():
        raise argparse.ArgumentTypeError(f"{path} is not a folder")
    return _absolute(path)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
