"""Has apps judged as they are loaded: by the genuine library of the worker, or by devhost.

    python judge.py genuine < APPS > VERDICTS
    python judge.py devhost [VERSION] < APPS > VERDICTS

APPS is a JSON list of folders with a `function_app.py`. VERDICTS has for each of them what it was
refused with, or the names of its functions. This runs in an environment that isn't that of the
tests, and therefore imports nothing of theirs. devhost judges for the Python that this runs on, or
for the VERSION.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

ROOT = Path(__file__).resolve().parents[4]


def genuine() -> list[str]:
    """Have the app in the current folder indexed by the library that the worker loads."""
    handle_event: Any = import_module("azure_functions_runtime.handle_event")
    # The messages between worker and host aren't part of the library; these are all it fills in.
    handle_event.protos = SimpleNamespace(
        BindingInfo=_BindingInfo, RpcFunctionMetadata=_Message, RpcRetryOptions=_Message
    )
    import_module("azure_functions_runtime.bindings.meta").load_binding_registry()
    handle_event.load_function_metadata(str(Path.cwd()), caller_info="test")
    return [function.name for function in handle_event._metadata_result or ()]


def devhost() -> list[str]:
    """Have the app in the current folder indexed by devhost."""
    from devhost.worker.indexing import index
    from devhost.worker.signatures import check

    functions = index()
    python = sys.argv[2].split(".") if sys.argv[2:] else sys.version_info[:2]
    for fault in check(functions, (int(python[0]), int(python[1]))):
        raise RuntimeError(str(fault))
    return [function.name for function in functions]


class _Message(SimpleNamespace):
    """A message that is only filled in."""


class _BindingInfo(_Message):
    undefined, out, inout = 0, 1, 2


def verdict(judge: Callable[[], list[str]], folder: str) -> dict[str, object]:
    """Return what the judge says about the app in a folder, which nothing was imported from."""
    os.chdir(folder)
    sys.modules.pop("function_app", None)
    sys.path[0] = folder
    try:
        return {"functions": judge()}
    except Exception as error:  # noqa: BLE001 - whatever is raised refuses the app
        return {"refused": f"{type(error).__name__}: {error}"}


if __name__ == "__main__":
    sys.path.append(str(ROOT))
    chosen = {"genuine": genuine, "devhost": devhost}[sys.argv[1]]
    # What the apps print and the library logs must not get between the verdicts.
    with os.fdopen(os.dup(1), "w") as answer:
        os.dup2(2, 1)
        json.dump([verdict(chosen, folder) for folder in json.load(sys.stdin)], answer)
