"""A provider that follows a script, behind the chat completions API, and a team that asks it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from countersign.team.budget import OwnAccount, TokenBudget
from countersign.team.calls import Calls
from countersign.team.chat import ModelChoice
from testbed.chat_provider import KEY, MODEL, Provider, provided
from testbed.tram_report import Team


@pytest.fixture
def provider() -> Iterator[Provider]:
    """A provider that a test gives its script; every step must be used."""
    with provided() as provider:
        yield provider


@pytest.fixture
def new_calls(provider: Provider) -> Callable[..., Calls]:
    """Calls of one step, with a budget and a choice of one's own."""

    def make(
        limit: int = 100_000, used: int = 0, told: Any = None, spoken: Any = None, **changes: Any
    ) -> Calls:
        usual = {"model": MODEL, "base_url": provider.url, "api_key": KEY}
        choice = ModelChoice(provider="compatible", **{**usual, **changes})
        return Calls(choice, TokenBudget(limit, OwnAccount(used)), told=told, spoken=spoken)

    return make


@pytest.fixture
def calls(new_calls: Callable[..., Calls]) -> Calls:
    """Calls as they usually are."""
    return new_calls()


@pytest.fixture
async def team(tmp_path: Path, provider: Provider) -> Team:
    team = Team(tmp_path, provider, ["Costs"])
    await team.begin()
    return team
