"""Whoever waited for an approval when the app was upgraded waits on, and gets to an end."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from orchestrators import names
from testbed.continuing import OUTPUTS

ROOT = Path(__file__).parent.parent.parent.parent
VERSIONS = sorted({file.parent.name for file in Path(__file__).parent.glob("*/*.jsonl")})
AGENT = "dafx-factchecker"


def test_an_instance_waits_for_the_same_as_before(
    waiting: Any, keeps_waiting: Callable[..., None], indexed: Any
) -> None:
    keeps_waiting(waiting, indexed)


def test_an_instance_goes_on_to_its_end(
    waiting: Any, goes_on: Callable[..., list[Any]], indexed: Any
) -> None:
    for output in goes_on(waiting, indexed):
        assert output == OUTPUTS[waiting.orchestrator]


def test_every_name_that_can_be_waited_for_is_recorded(all_waiting: list[Any]) -> None:
    awaited = {name for waiting in all_waiting for name in waiting.awaits()}
    called = {value for name, value in vars(names).items() if name.isupper()}
    started_by_endpoints = {names.RESEARCH, names.PURCHASE, names.ANSWER_QUESTION}
    rung_or_told = {names.APPROVAL_DECISION, names.NOTICES}
    agents = {names.FACT_CHECKER}
    assert called - awaited - agents == started_by_endpoints | rung_or_told
    assert awaited - called == {"a timer", AGENT}


def test_every_orchestrator_is_recorded(all_waiting: list[Any]) -> None:
    assert {each.orchestrator for each in all_waiting} == {*OUTPUTS}


def test_what_is_told_before_a_wait_is_recorded(all_waiting: list[Any]) -> None:
    assert {name for waiting in all_waiting for name in waiting.told()} == {names.NOTICES}


def test_the_present_version_is_recorded() -> None:
    settings = json.loads((ROOT / "host.json").read_text("utf-8"))["extensions"]["durableTask"]
    assert settings.get("defaultVersion", "unversioned") in VERSIONS
