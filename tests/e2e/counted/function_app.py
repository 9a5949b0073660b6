"""The real app, with a route of its own that tells which of the app's files ran lately."""

from __future__ import annotations

import importlib.util
import json
import sys
import threading
from pathlib import Path
from types import FrameType
from typing import Any

import azure.functions as func

ROOT = Path(__file__).parent.parent.parent.parent
PRODUCT = tuple(
    f"{ROOT / each}/" for each in ("activities", "countersign", "endpoints", "orchestrators")
)

_ran: set[str] = set()


def watch(frame: FrameType, event: str, _: Any) -> None:
    """Keep the file of each function that begins or goes on; modules run once in a process."""
    code = frame.f_code
    if event == "call" and code.co_name != "<module>" and code.co_filename.startswith(PRODUCT):
        _ran.add(code.co_filename)


sys.setprofile(watch)
threading.setprofile(watch)

spec = importlib.util.spec_from_file_location("real_function_app", ROOT / "function_app.py")
assert spec
assert spec.loader
real_app = importlib.util.module_from_spec(spec)
spec.loader.exec_module(real_app)
app = real_app.app


@app.route(route="files-run", methods=["POST"], auth_level=func.AuthLevel.ANONYMOUS)
async def files_run(req: func.HttpRequest) -> func.HttpResponse:
    """The files that ran since this was asked last."""
    ran = sorted(Path(each).relative_to(ROOT).as_posix() for each in _ran)
    _ran.clear()
    return func.HttpResponse(json.dumps(ran), mimetype="application/json")
