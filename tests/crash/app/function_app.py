"""The real app, on a machine that may die after every single effect, or is copied there.

Model calls and kept replies are written down, so that a test can see what was paid for twice.
"""

from __future__ import annotations

import functools
import importlib.util
import json
import os
import zlib
from collections.abc import Callable
from contextvars import ContextVar
from pathlib import Path
from typing import Any

import azure.durable_functions as df
import copier
import peril

from countersign.notices.apprise import AppriseChannels
from countersign.team.calls import Calls

ROOT = Path(__file__).parent.parent.parent.parent
DIARY = Path(os.environ["CRASH_DIARY"])
SHARD, SHARDS = map(int, os.environ.get("CRASH_SHARE", "0/1").split("/"))
ONLY = tuple(os.environ.get("CRASH_ONLY", "").split())

WITHOUT_EFFECTS = ("research", "purchase", "approval_gate", "answer_question")
"""Functions that change nothing by themselves, besides those that get and list something."""

_operation: ContextVar[str] = ContextVar("operation", default="")


def may_die_at(place: str) -> bool:
    """Whether this place is one of this run's: all that belong to the same work are of the same."""
    work = place.partition(":")[0]
    return zlib.adler32(work.encode()) % SHARDS == SHARD and (not ONLY or place.startswith(ONLY))


def new_machine() -> peril.AnyMachine:
    """A machine that lives and is copied into this folder, if one is named, or one that dies."""
    if folder := os.environ.get("CRASH_BACKUPS"):
        return copier.Copied(Path(folder))
    places = Path(os.environ["CRASH_PLACES"])
    return peril.Machine(places, [os.getppid(), os.getpid()], may_die_at=may_die_at)


machine = new_machine()


def endanger_stores() -> None:
    """Let the machine die after whatever is kept, of the adapters that are in use here."""
    if os.environ.get("COUNTERSIGN_STORAGE"):
        from countersign.destinations.report_blobs import ReportBlobs as Reports
        from countersign.stores.blob_artifacts import BlobArtifacts as Artifacts
        from countersign.stores.table_index import TableIndex as Index
        from countersign.stores.table_ledger import TableLedger as Ledger
    else:
        from countersign.destinations.report_folder import ReportFolder as Reports
        from countersign.stores.folder import FolderArtifacts as Artifacts
        from countersign.stores.sqlite import SqliteLedger as Ledger
        from countersign.stores.sqlite_index import SqliteIndex as Index

        # The index is changed with the ledger there: all or nothing of both is kept.
        peril.endanger_before(machine, Ledger, "append")
    Artifacts.remember = noted(Artifacts.remember)
    peril.endanger(machine, Ledger, "append")
    peril.endanger(machine, Index, "announce", "put", "retract")
    peril.endanger(machine, Artifacts, "put", "remember")
    peril.endanger(machine, Reports, "write")


def watched(function: Callable[..., Any], name: str, *, durable: bool) -> Callable[..., Any]:
    """Let the machine die after a function, and know what is being done inside.

    Before one that is `durable` too: what the runtime has begun, it begins again.
    """

    @functools.wraps(function)
    async def call(**kwargs: Any) -> Any:
        begin(name, kwargs)
        with machine.at_work():
            if durable:
                await machine.may_die("before")
            result = await function(**kwargs)
            await machine.may_die("after")
        return result

    return call


def begin(name: str, kwargs: dict[str, Any]) -> None:
    """Know what is being done, and for which operation."""
    order: dict[str, Any] = {}
    for given in kwargs.values():
        order |= given if isinstance(given, dict) else getattr(given, "route_params", {})
        if isinstance(entity := getattr(given, "body", None), str):
            order |= json.loads(entity)["self"]
    details = [f"{key}={order[key]}" for key in ("round", "subtopic", "version") if key in order]
    peril.doing.set(" ".join([name, *details]))
    _operation.set(order.get("operation_id") or order.get("key") or "")


def noted(remember: Callable[..., Any]) -> Callable[..., Any]:
    """Write down each result and each reply that is kept, by its key."""

    @functools.wraps(remember)
    async def call(self: Any, tenant: str, key: str, *args: Any) -> Any:
        result = await remember(self, tenant, key, *args)
        peril.note(DIARY, f"stored {_operation.get()} {peril.doing.get()} {key}")
        return result

    return call


def counted(ask: Callable[..., Any]) -> Callable[..., Any]:
    """Write down each model call before it is made, by the key that its reply will have."""

    async def call(calls: Any, request: Any, *args: Any) -> Any:
        key = calls._kept._key(request)
        peril.note(DIARY, f"called {_operation.get()} {peril.doing.get()} {key}")
        return await ask(calls, request, *args)

    return call


endanger_stores()
if os.environ.get("COUNTERSIGN_PURCHASING_URL"):
    peril.endanger_orders(machine)
peril.endanger(machine, AppriseChannels, "send")
peril.endanger(machine, df.DurableOrchestrationClient, "start_new", "raise_event")
Calls._call = counted(Calls._call)

spec = importlib.util.spec_from_file_location("real_function_app", ROOT / "function_app.py")
assert spec
assert spec.loader
real_app = importlib.util.module_from_spec(spec)
spec.loader.exec_module(real_app)
app = real_app.app

for builder in app._function_builders:
    function = builder._function
    name = function.get_function_name()
    if not name.startswith(("get_", "list_")) and name not in WITHOUT_EFFECTS:
        durable = function.get_trigger().type in {"activityTrigger", "entityTrigger"}
        function._func = watched(function._func, name, durable=durable)
