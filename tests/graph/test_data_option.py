"""The folder that `dev.py graph` works in."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from countersign.graph.cli import main
from countersign.graph.failures import STUCK, USAGE
from local.graph import FOLDER, PROGRAM, data_in


def test_the_folder_may_be_named_anywhere_and_the_rest_is_the_command() -> None:
    assert data_in(["list", "--json"]) == (None, ["list", "--json"])
    for words in (["--data", "here", "list", "--json"], ["list", "--json", "--data=here"]):
        assert data_in(words) == (Path("here"), ["list", "--json"])


def test_an_operation_is_kept_in_the_folder_that_is_named_and_in_no_other(
    home: Any, tmp_path: Path
) -> None:
    own = {name: value for name, value in home.environment.items() if "COUNTERSIGN" not in name}
    shell = replace(home, environment=own)

    def run(data: Path, *words: str) -> Any:
        done = shell.run_python("-m", "local.graph", "--data", str(data), "--json", *words)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    token = home.token("Rita", "Research.Requester")
    asked = run(home.data, "run", "How durable execution survives crashes", "--token", token)
    [row] = run(home.data, "list", "--tenant", home.tenant)
    assert row["operation_id"] == asked["operation_id"]
    other = tmp_path / "other"
    other.mkdir()
    assert run(other, "list", "--tenant", home.tenant) == []
    shell.environment["COUNTERSIGN_DATA"] = str(other / "graph-engine")
    assert run(home.data, "list", "--tenant", home.tenant) == [row]


def test_a_folder_that_is_not_there_is_a_slip(home: Any, tmp_path: Path) -> None:
    slip = tmp_path / "slip"
    done = home.run_python("-m", "local.graph", "--data", str(slip), "list")
    assert (done.returncode, done.stdout) == (USAGE, "")
    assert f"the folder {slip} does not exist" in done.stderr
    assert not slip.exists()


def test_its_help_names_the_option(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"], PROGRAM, [FOLDER])
    shown = capsys.readouterr().out
    assert "usage: dev.py graph" in shown
    assert "--data DIR" in shown


async def test_where_a_durable_engine_works_the_graph_does_not(home: Any) -> None:
    await home.app.serving.store.claim("blue")
    token = home.token("Rita", "Research.Requester")
    for words in (["run", "How durable execution survives crashes"], ["resume", "research-1"]):
        done = home.run_python("-m", "local.graph", "--json", *words, "--token", token)
        assert done.returncode == STUCK
        assert json.loads(done.stdout)["error"]["code"] == "served_by_another"
        assert "blue serves this storage" in done.stderr
    reading = home.run_python("-m", "local.graph", "--json", "list", "--tenant", home.tenant)
    assert (reading.returncode, json.loads(reading.stdout)) == (0, [])
