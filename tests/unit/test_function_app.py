"""What the function app offers to its host."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from orchestrators import names

ROOT = Path(__file__).parent.parent.parent

INDEX = """
import json, sys
import function_app
print(json.dumps({
    "functions": {
        each.get_function_name(): [json.loads(raw) for raw in each.get_raw_bindings()]
        for each in function_app.app.get_functions()
    },
    "modules": sorted(sys.modules),
}))
"""


@pytest.fixture(scope="module")
def indexed() -> Any:
    """The app as a worker indexes it, in a process of its own and without any setting."""
    done = subprocess.run(
        [sys.executable, "-c", INDEX], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout)


def test_every_name_that_is_called_is_indexed(indexed: Any) -> None:
    called = {
        value
        for name, value in vars(names).items()
        if name.isupper() and isinstance(value, str) and name != "APPROVAL_DECISION"
    }
    assert called <= set(indexed["functions"])


def test_every_route_checks_tokens_itself_and_so_asks_for_no_key(indexed: Any) -> None:
    triggers = [
        binding
        for bindings in indexed["functions"].values()
        for binding in bindings
        if binding["type"] == "httpTrigger"
    ]
    assert len(triggers) >= 10
    assert {trigger["authLevel"] for trigger in triggers} == {"ANONYMOUS"}


def test_nothing_is_registered_that_is_not_ours(indexed: Any) -> None:
    assert not [name for name in indexed["functions"] if name.startswith(("dafx-", "health_"))]


WORK_OF_LATER = (
    "openai",  # models
    "countersign.team.openai",
    "countersign.team.models",
    "jwt",  # sign-in
    "cryptography",
    "httpx",
    "azure.data.tables",  # stores
    "azure.storage.blob",
    "azure.identity",
    "sqlite3",
    "bs4",  # documents and pages
    "markdown_it",
    "nh3",
    "opentelemetry.exporter",
    "azure.monitor",
)


def test_a_cold_start_loads_nothing_that_only_some_later_work_needs(indexed: Any) -> None:
    loaded = set(indexed["modules"])
    assert not [name for name in WORK_OF_LATER if name in loaded]
