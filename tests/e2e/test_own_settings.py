"""No test reads the settings of whoever runs it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

APP = """
import os
import azure.functions as func

app = func.FunctionApp(http_auth_level=func.AuthLevel.ANONYMOUS)

@app.route(route="health")
def health(req: func.HttpRequest) -> str:
    return os.environ.get("COUNTERSIGN_NOTIFY", "nobody")
"""


def test_a_host_of_the_tests_leaves_local_settings_alone(
    make_host: Callable[..., Any], tmp_path: Path
) -> None:
    folder = tmp_path / "app"
    folder.mkdir()
    (folder / "function_app.py").write_text(APP, "utf-8")
    (folder / "host.json").write_text('{"version": "2.0"}', "utf-8")
    own = {"IsEncrypted": False, "Values": {"COUNTERSIGN_NOTIFY": "mailto://boss@example.org"}}
    (folder / "local.settings.json").write_text(json.dumps(own), "utf-8")
    host = make_host(app=folder).start()
    assert host.call("GET", "health").text == "nobody"
