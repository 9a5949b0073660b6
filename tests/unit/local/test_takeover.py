"""`dev.py takeover`: another hub serves, once somebody says that the one before is stopped."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest

from countersign.services import Services
from local.service_command import FAILED
from local.takeover import DONE, main

GREEN = "green in countersign.northeurope.durabletask.io"


def taken_over(data: Path, *options: str) -> int:
    return main([*options, "--data", str(data)])


def test_a_hub_is_named_where_none_serves(app: Services, tmp_path: Path) -> None:
    assert taken_over(tmp_path, GREEN) == DONE
    assert asyncio.run(app.serving.store.named()) == GREEN
    assert taken_over(tmp_path, GREEN) == DONE


def test_whoever_serves_is_named_and_has_to_be_stopped_first(
    app: Services, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asyncio.run(app.serving.store.claim("blue"))
    assert taken_over(tmp_path, GREEN) == FAILED
    told = capsys.readouterr().err
    assert re.search(r"blue serves this storage since \d{4}-\d\d-\d\d \d\d:\d\d UTC, and", told)
    assert asyncio.run(app.serving.store.named()) == "blue"
    assert taken_over(tmp_path, GREEN, "--stopped") == DONE
    assert asyncio.run(app.serving.store.named()) == GREEN
    assert "takeover --stopped blue" in capsys.readouterr().out
