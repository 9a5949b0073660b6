"""What the app runs with holds for the apps around it, with which tests and benchmarks run it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
HUB = "%TASKHUB_NAME%"
"""The hub of the app; apps with another one have orchestrations of their own."""


def durable(file: Path) -> dict[str, object]:
    return json.loads(file.read_text("utf-8")).get("extensions", {}).get("durableTask", {})


AROUND = [
    file
    for folder in ("bench", "tests")
    for file in sorted((ROOT / folder).rglob("host.json"))
    if durable(file).get("hubName") == HUB
]


def test_there_are_some() -> None:
    assert AROUND


@pytest.mark.parametrize("file", AROUND, ids=lambda file: str(file.relative_to(ROOT)))
def test_orchestrations_have_the_version_of_the_app(file: Path) -> None:
    assert durable(file)["defaultVersion"] == durable(ROOT / "host.json")["defaultVersion"]
