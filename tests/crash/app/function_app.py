"""The real app, in a world where the machine may die after every single effect.

Each place where an effect was just made has a name. The first time that a place is reached, and if
it is one of this run's, its name is written down and the host and this worker are killed. Model
calls and stored results are written down too, so that a test can see what was paid for twice.
"""

from __future__ import annotations

import functools
import importlib.util
import inspect
import os
import signal
import zlib
from collections.abc import Callable
from contextvars import ContextVar
from pathlib import Path
from typing import Any

import azure.durable_functions as df

from countersign.notices.apprise import AppriseChannels
from countersign.stores.blob_artifacts import BlobArtifacts
from countersign.stores.folder import FolderArtifacts
from countersign.stores.sqlite_index import SqliteIndex
from countersign.stores.sqlite_ledger import SqliteLedger
from countersign.stores.table_index import TableIndex
from countersign.stores.table_ledger import TableLedger
from countersign.team.budget import TokenBudget
from countersign.writing.report_blobs import ReportBlobs
from countersign.writing.report_folder import ReportFolder

ROOT = Path(__file__).parent.parent.parent.parent
PLACES = Path(os.environ["CRASH_PLACES"])
DIARY = Path(os.environ["CRASH_DIARY"])
SHARD, SHARDS = map(int, os.environ["CRASH_SHARE"].split("/"))
ONLY = tuple(os.environ.get("CRASH_ONLY", "").split())

EFFECTS = {
    SqliteLedger: ("append",),
    SqliteIndex: ("announce", "put", "retract"),
    FolderArtifacts: ("put", "remember"),
    ReportFolder: ("write",),
    AppriseChannels: ("send",),
    TableLedger: ("append",),
    TableIndex: ("announce", "put", "retract"),
    BlobArtifacts: ("put", "remember"),
    ReportBlobs: ("write",),
}

_doing: ContextVar[str] = ContextVar("doing", default="nothing")


def note(file: Path, line: str) -> None:
    with file.open("a", encoding="utf-8") as out:
        out.write(f"{line}\n")
        out.flush()
        os.fsync(out.fileno())


def may_die(place: str) -> None:
    """Die here if this run wants to and never did before."""
    place = f"{_doing.get()}: {place}"
    seen = PLACES.read_text("utf-8").splitlines() if PLACES.exists() else []
    if place in seen or zlib.crc32(place.encode()) % SHARDS != SHARD:
        return
    if ONLY and not place.startswith(ONLY):
        return
    note(PLACES, place)
    os.kill(os.getppid(), signal.SIGKILL)
    os.kill(os.getpid(), signal.SIGKILL)


def perilous(owner: Any, method: str, label: str) -> None:
    """Let the machine die right after each call of a method."""
    real = getattr(owner, method)

    @functools.wraps(real)
    async def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        result = await real(self, *args, **kwargs)
        if method == "remember":
            note(DIARY, f"stored {_doing.get()}")
        details = [named(each) for each in args[3]] if method == "append" else []
        place = f"after {label}.{method} {' '.join(details)}".strip()
        may_die(f"{place}: {args[1].subject}" if method == "send" else place)
        return result

    setattr(owner, method, call)


def named(event: Any) -> str:
    """The type of an event; of one about a notice, which one too."""
    return f"{type(event).__name__} {getattr(event, 'notice', '')}".strip()


def watched(function: Callable[..., Any], name: str) -> Callable[..., Any]:
    """Let the machine die before and after a function, and know what is being done inside."""

    def begin(kwargs: dict[str, Any]) -> None:
        order = next((v for v in kwargs.values() if isinstance(v, dict)), {})
        details = [
            f"{key}={order[key]}" for key in ("round", "subtopic", "version") if key in order
        ]
        _doing.set(" ".join([name, *details]))

    @functools.wraps(function)
    def sync(**kwargs: Any) -> Any:
        begin(kwargs)
        may_die("before")
        result = function(**kwargs)
        may_die("after")
        return result

    @functools.wraps(function)
    async def later(**kwargs: Any) -> Any:
        begin(kwargs)
        result = await function(**kwargs)
        may_die("after")
        return result

    return later if inspect.iscoroutinefunction(function) else sync


def counted(process: Callable[..., Any]) -> Callable[..., Any]:
    """Write down each model call before it is made."""

    async def call(self: Any, *args: Any, **kwargs: Any) -> None:
        note(DIARY, f"called {_doing.get()}")
        await process(self, *args, **kwargs)

    return call


for adapter, methods in EFFECTS.items():
    for method in methods:
        perilous(adapter, method, adapter.__name__)
for method in ("start_new", "raise_event"):
    perilous(df.DurableOrchestrationClient, method, "runtime")
TokenBudget.process = counted(TokenBudget.process)

spec = importlib.util.spec_from_file_location("real_function_app", ROOT / "function_app.py")
assert spec
assert spec.loader
real_app = importlib.util.module_from_spec(spec)
spec.loader.exec_module(real_app)
app = real_app.app

for builder in app._function_builders:
    function = builder._function
    name = function.get_function_name()
    reads_only = name.startswith(("get_", "list_")) or name in {
        "research",
        "approval_gate",
        "answer_question",
    }
    if not reads_only:
        function._func = watched(function._func, name)
