"""The app that the tests run under Core Tools is what would be deployed, and nobody's settings."""

from __future__ import annotations

from pathlib import Path

import pytest

from testbed import func_host
from testbed.func_host import deployed


def test_only_what_is_sent_to_azure_is_run(tmp_path: Path) -> None:
    names = {each.name for each in deployed(tmp_path / "app").iterdir()}
    assert names > {"activities", "countersign", "endpoints", "function_app.py", "host.json"}
    assert names.isdisjoint({"devhost", "local", "local.settings.sample.json", "tests", ".venv"})


def test_local_settings_stay_where_they_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    developers = tmp_path / "developer"
    developers.mkdir()
    (developers / ".funcignore").write_bytes((func_host.ROOT / ".funcignore").read_bytes())
    (developers / "host.json").touch()
    (developers / "local.settings.json").touch()
    monkeypatch.setattr(func_host, "ROOT", developers)
    names = {each.name for each in deployed(tmp_path / "app").iterdir()}
    assert names == {".funcignore", "host.json"}
