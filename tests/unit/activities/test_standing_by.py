"""What an orchestration has begun does nothing more once another hub has taken the storage over."""

from __future__ import annotations

import json
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, cast

import azure.durable_functions as df
import pytest
from agent_framework import Message

import activities.proposals
import activities.purchases
import activities.questions
import activities.research
import activities.step
from activities.step import ActivityFailed, make_sure_it_serves
from countersign.operations.serving import Serving
from countersign.stores.folder_serving import FolderServing

PARTS = (
    activities.proposals,
    activities.purchases,
    activities.questions,
    activities.research,
)


@pytest.fixture
async def taken_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Services without anything to work with, in a deployment whose storage was taken over."""
    store = FolderServing(tmp_path)
    app = SimpleNamespace(serving=Serving(store=store, hub="blue"))
    await make_sure_it_serves(cast("Any", app))
    await store.take_over("green")
    await app.serving.look()
    for part in (activities.step, activities.questions):
        monkeypatch.setattr(part, "services", lambda: app)
    return app


@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.__name__)
async def test_no_activity_begins(taken_over: Any, part: ModuleType) -> None:
    app = df.DFApp()
    app.register_functions(part.blueprint)
    steps = [f.get_user_function() for f in app.get_functions()]
    assert steps
    for each in steps:
        with pytest.raises(ActivityFailed, match="StandsBy"):
            await each({})


async def test_the_fact_checker_asks_no_model(taken_over: Any) -> None:
    asked = {"tenant": "home", "operation_id": "research-1", "question_id": "1"}
    told = await activities.questions.HostedFactChecker().run(
        [Message("user", [json.dumps(asked)])]
    )
    assert told.text == activities.questions.STILL_OPEN
