"""Histories of the genuine Durable extension; README.md says where they come from."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from testbed.genuine import Execution, executions


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "execution" in metafunc.fixturenames:
        metafunc.parametrize("execution", executions(), ids=str)


@pytest.fixture(autouse=True)
def settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the app was set to when they were recorded."""
    monkeypatch.setenv("AZURE_FUNCTIONS_DURABLE_STRICT_TYPING", "1")


@pytest.fixture
def code(execution: Execution, indexed: dict[str, Callable[[Any], str]]) -> Callable[[Any], str]:
    """The orchestrator of today."""
    return indexed[execution.orchestrator]
