"""Whoever starts the app is told what keeps the model from its work, before anybody waits."""

from __future__ import annotations

import asyncio
from typing import Any

from countersign.team.chat import ModelChoice
from local.doctor.finding import Finding
from local.doctor.model import examine_model
from testbed.chat_provider import KEY, MODEL


async def examined(provider: Any) -> Finding:
    choice = ModelChoice(provider="compatible", model=MODEL, base_url=provider.url, api_key=KEY)
    # As at a command line, where no loop is running.
    return await asyncio.to_thread(examine_model, choice)


async def test_a_model_that_answers_is_said_to(provider: Any) -> None:
    provider.fills_in(subtopics=["Growing", "Drinking"])
    found = await examined(provider)
    assert (found.state, found.mend) == ("ok", "")
    assert found.told.startswith(f"{MODEL} (compatible)")


async def test_a_wrong_key_is_said_without_the_key(provider: Any) -> None:
    provider.fails(401, code="invalid_api_key")
    found = await examined(provider)
    assert found.state == "broken"
    assert "HTTP status 401, invalid_api_key" in found.told
    assert KEY not in str(found)


async def test_a_model_that_is_away_may_come_back(provider: Any) -> None:
    provider.fails(503)
    assert (await examined(provider)).state == "without"


def test_the_embedded_model_needs_nothing() -> None:
    assert examine_model(ModelChoice(provider="extractive")).state == "ok"
