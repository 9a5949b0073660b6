"""A second deployment with a hub of its own on the same storage starts nothing, and says so."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from countersign.stores.folder_serving import FolderServing


def test_one_hub_serves_a_storage_until_another_takes_over(
    make_host: Callable[..., Any], desk_at: Callable[..., Any]
) -> None:
    blue = desk_at(make_host(TASKHUB_NAME="blue").start())
    blue.until_version(blue.ask())
    shared = blue.host.data
    key = (shared / "proof-key").read_text("ascii").strip()
    green = desk_at(
        make_host(
            TASKHUB_NAME="green", COUNTERSIGN_DATA=str(shared), COUNTERSIGN_PROOF_KEY=key
        ).start()
    )
    operation = green.ask()
    one_clock = {"clock_ahead_seconds": None, "warning": None}
    told = {"status": "standby", "served_by": "blue", **one_clock}
    assert green.host.call("GET", "health").json() == told
    told = {"status": "ok", "served_by": None, **one_clock}
    assert blue.host.call("GET", "health").json() == told
    green.reconcile()
    assert green.host.manage("GET", f"instances/{operation}").status_code == 404
    assert green.operation(operation)["stage"] == "planning"

    blue.host.process.kill()
    assert asyncio.run(FolderServing(shared).take_over("green")) == "blue"
    green.reconcile()
    green.until_version(operation)
    assert green.host.call("GET", "health").json()["status"] == "ok"
    assert "stands by: blue serves this storage" in green.host.log.read_text("utf-8")
