"""One question tells whether a model can do the work, and what is wrong if it can't."""

from __future__ import annotations

from typing import Any

import pytest

from countersign.team import health
from countersign.team.chat import ModelChoice
from countersign.team.errors import AccessRefused, NotInForm, TeamError, TooSlow, Unreachable
from testbed.chat_provider import KEY, MODEL


def choice(provider: Any) -> ModelChoice:
    return ModelChoice(provider="compatible", model=MODEL, base_url=provider.url, api_key=KEY)


async def test_a_model_that_answers_is_well(provider: Any) -> None:
    provider.fills_in(subtopics=["Growing", "Drinking"])
    assert await health.ask(choice(provider)) is None


async def test_the_embedded_model_is_well() -> None:
    assert await health.ask(ModelChoice(provider="extractive")) is None


async def test_a_wrong_key_is_found_out_before_anybody_waits(provider: Any) -> None:
    provider.fails(401, code="invalid_api_key")
    assert_fault(await health.ask(choice(provider)), AccessRefused)


async def test_a_model_that_cannot_keep_a_form_is_found_out(provider: Any) -> None:
    for _ in range(3):
        provider.says("Tea is lovely.")
    assert_fault(await health.ask(choice(provider)), NotInForm)


async def test_a_model_that_hangs_is_waited_for_no_longer_than_is_said(provider: Any) -> None:
    provider.hangs()
    assert_fault(await health.ask(choice(provider), seconds=2.0), TooSlow)


async def test_an_address_where_nobody_listens_is_found_out() -> None:
    away = ModelChoice(provider="compatible", model="m", base_url="http://127.0.0.1:9/v1")
    assert_fault(await health.ask(away), Unreachable)


def assert_fault(fault: TeamError | None, kind: type[TeamError]) -> None:
    assert type(fault) is kind
    assert KEY not in str(fault)


@pytest.fixture(autouse=True)
def no_stray_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
