"""A deployment knows whether it serves its storage, and asks for that once a minute."""

from __future__ import annotations

import logging
from datetime import timedelta
from pathlib import Path

import pytest

from countersign.operations.serving import LOOKED_FOR_SECONDS, Serving
from countersign.platform.skew import Skew
from countersign.platform.task_hub import PLACE, hub_of
from countersign.stores.folder_serving import FolderServing


@pytest.fixture
def store(tmp_path: Path) -> FolderServing:
    return FolderServing(tmp_path)


async def test_one_that_stands_by_says_so_in_the_log_and_nothing_is_asked_twice(
    store: FolderServing, caplog: pytest.LogCaptureFixture
) -> None:
    await store.claim("blue")
    green = Serving(store=store, hub="green")
    with caplog.at_level(logging.ERROR):
        assert not await green.is_here()
    assert "this deployment (green) stands by: blue serves this storage" in caplog.text
    await store.take_over("green")
    assert not await green.is_here()
    assert await green.look()
    assert await green.is_here()


@pytest.mark.parametrize("own", ["blue", "green"])
async def test_a_process_without_a_reconciler_notices_within_a_minute_that_another_one_serves(
    store: FolderServing, own: str
) -> None:
    passed = 1_000.0
    await store.claim("blue")
    serving = Serving(store=store, hub=own, seconds=lambda: passed)
    before = await serving.is_here()
    await store.take_over("green")
    passed += LOOKED_FOR_SECONDS
    assert await serving.is_here() == before
    passed += 1
    assert await serving.is_here() != before
    assert serving.served_by == "green"


async def test_one_whose_storage_was_taken_over_stands_by_from_its_next_look(
    store: FolderServing,
) -> None:
    blue = Serving(store=store, hub="blue")
    assert await blue.is_here()
    await store.take_over("green")
    assert not await blue.look()
    assert not await blue.is_here()


async def test_a_clock_that_is_off_is_told_once_and_again_after_it_was_right(
    store: FolderServing, caplog: pytest.LogCaptureFixture
) -> None:
    blue, told = Serving(store=store, hub="blue"), []
    for seconds in (0, 60, 60, 0, 60):
        store.skew = Skew(ahead=timedelta(seconds=seconds), uncertain=timedelta(seconds=0.5))
        await blue.look()
        told.append(caplog.text.count("60.0 s ahead"))
    assert told == [0, 1, 1, 1, 2]


@pytest.mark.parametrize(
    ("settings", "hub"),
    [
        ({}, "default"),
        ({"TASKHUB_NAME": "green"}, "green"),
        (
            {
                "TASKHUB_NAME": "green",
                "DURABLE_TASK_SCHEDULER_CONNECTION_STRING": (
                    "Endpoint=https://a.durabletask.io;Authentication=ManagedIdentity"
                ),
                "AzureWebJobsStorage__accountName": "host",
            },
            "green in a.durabletask.io",
        ),
        ({"AzureWebJobsStorage__accountName": "host"}, "default in host"),
        # The key stays out of it
        (
            {"AzureWebJobsStorage": "AccountName=devstoreaccount1;AccountKey=secret"},
            "default in devstoreaccount1",
        ),
        # Its port may be another one each time
        (
            {"DURABLE_TASK_SCHEDULER_CONNECTION_STRING": "Endpoint=http://localhost:8080"},
            "default",
        ),
    ],
)
def test_a_hub_is_told_apart_by_its_name_and_its_backend(
    settings: dict[str, str], hub: str
) -> None:
    assert hub_of(settings) == hub


def test_hubs_of_local_hosts_are_told_apart_on_a_storage_that_they_share() -> None:
    one, other = ({PLACE: each, "TASKHUB_NAME": "default"} for each in ("ada.1", "grace.2"))
    assert hub_of(one, shared=True) == "default in ada.1"
    assert hub_of(other, shared=True) == "default in grace.2"
    # In a folder of their own there is no other one, and its name is what it has always been
    assert hub_of(one) == hub_of(other) == "default"
    in_azure = {**one, "AzureWebJobsStorage__accountName": "host"}
    assert hub_of(in_azure, shared=True) == "default in host"
