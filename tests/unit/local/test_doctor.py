"""`dev.py doctor` says whether a host can load the app, in the words of the Functions worker."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from local.settings import APP

REFUSED = """
from typing import Optional
import azure.durable_functions as df

app = df.DFApp()

@app.activity_trigger(input_name="order")
def publish(order: Optional[dict]):
    return order
"""


def examine(app: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "local.doctor"],
        cwd=app,
        env={**os.environ, "PYTHONPATH": str(APP)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_this_app_is_loaded_on_every_python() -> None:
    done = examine(APP)
    assert (done.returncode, done.stderr) == (0, "")
    assert "the Functions worker loads the app: " in done.stdout


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        (
            REFUSED,
            "cannot load the publish function: binding order has invalid",
        ),
        ("import no_such_module", "ModuleNotFoundError: No module named 'no_such_module'"),
    ],
)
def test_an_app_that_no_host_can_load_is_told_with_the_reason_and_where_hosts_tell_it(
    tmp_path: Path, code: str, reason: str
) -> None:
    (tmp_path / "function_app.py").write_text(code)
    done = examine(tmp_path)
    assert done.returncode == 1
    assert reason in done.stdout
    assert "/admin/functions" in done.stdout
