"""What azd finds: the project, its hooks, and what goes along with the app."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import tree_sitter_powershell
import yaml
from tree_sitter import Language, Parser

if TYPE_CHECKING:
    from conftest import Template

ROOT = Path(__file__).parents[3]
INFRA = ROOT / "infra"
SHELL = sorted(INFRA.rglob("*.sh"))
POWERSHELL = sorted(INFRA.rglob("*.ps1"))


def project() -> Any:
    return yaml.safe_load((ROOT / "azure.yaml").read_text("utf-8"))


def hooks() -> Iterator[tuple[str, Mapping[str, str]]]:
    for hook in project()["hooks"].values():
        yield from hook.items()


def test_the_service_is_the_app_and_azure_installs_its_requirements() -> None:
    service = project()["services"]["api"]
    folder = ROOT / service["project"]
    assert all((folder / name).is_file() for name in ("function_app.py", "host.json"))
    assert (service["host"], service["language"]) == ("function", "python")
    assert service["remoteBuild"] is True
    assert (ROOT / project()["infra"]["path"] / "main.bicep").is_file()


def test_the_app_bears_the_name_of_the_service(texts: Mapping[str, str]) -> None:
    (name,) = project()["services"]
    assert f"{{ 'azd-service-name': '{name}' }}" in texts["modules/function-app.bicep"]


def test_every_hook_is_there_for_both_shells() -> None:
    shells = {"posix": ("sh", ".sh"), "windows": ("pwsh", ".ps1")}
    for system, hook in hooks():
        assert (hook["shell"], Path(hook["run"]).suffix) == shells[system]
        assert (ROOT / hook["run"]).is_file()
    assert [path.stem for path in SHELL] == [path.stem for path in POWERSHELL]


def test_what_hooks_read_is_put_out_by_the_templates_or_by_azd(
    templates: Mapping[str, Template],
) -> None:
    known = templates["main.bicep"].outputs | {"AZURE_SUBSCRIPTION_ID"}
    for path in [*SHELL, *POWERSHELL]:
        assert {*re.findall(r"\b[A-Z]+(?:_[A-Z]+)+\b", path.read_text("utf-8"))} <= known, path


@pytest.mark.skipif(not shutil.which("sh"), reason="needs a POSIX shell: sh")
@pytest.mark.parametrize("path", SHELL, ids=lambda path: path.name)
def test_shell_scripts_are_shell(path: Path) -> None:
    subprocess.run(["sh", "-n", path], check=True)  # noqa: S607 - the shell that azd finds too
    assert path.read_text("utf-8").startswith("#!/bin/sh\n")


@pytest.mark.parametrize("path", POWERSHELL, ids=lambda path: path.name)
def test_powershell_scripts_are_powershell(path: Path) -> None:
    parser = Parser(Language(tree_sitter_powershell.language()))
    assert not parser.parse(path.read_bytes()).root_node.has_error


@pytest.mark.parametrize("path", sorted(INFRA.rglob("*.json")), ids=lambda path: path.name)
def test_json_files_are_json(path: Path) -> None:
    json.loads(path.read_text("utf-8"))


def is_left_out(names: Sequence[str], folder: Path) -> Sequence[str]:
    """Which of these paths `.funcignore` leaves out, by git, whose rules it follows."""
    subprocess.run(["git", "init", "--quiet", folder], check=True)  # noqa: S607 - on every PATH here
    asked = subprocess.run(
        ["git", "-c", f"core.excludesFile={ROOT / '.funcignore'}", "check-ignore", "--", *names],  # noqa: S607
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    return asked.stdout.splitlines()


@pytest.mark.skipif(not shutil.which("git"), reason="needs git")
def test_the_app_is_sent_along_and_nothing_else(tmp_path: Path) -> None:
    tracked = ["git", "ls-files"]
    listed = subprocess.run(tracked, cwd=ROOT, capture_output=True, text=True, check=True)
    files = listed.stdout.splitlines()
    sent = {*files} - {*is_left_out(files, tmp_path)}
    assert {name.partition("/")[0] for name in sent} == {
        *("activities", "countersign", "endpoints", "orchestrators"),
        *("function_app.py", "host.json", "requirements.txt", ".funcignore"),
    }


@pytest.mark.skipif(not shutil.which("git"), reason="needs git")
@pytest.mark.parametrize(
    "name",
    [
        *("local.settings.json", ".env", ".azure/dev/.env"),
        *(".venv/bin/python", ".python_packages/lib/site-packages/six.py", "node_modules/a/b.js"),
        *(
            "__pycache__/function_app.cpython-311.pyc",
            "countersign/__pycache__/kinds.pyc",
            "old.pyc",
        ),
        *(".vscode/settings.json", ".github/workflows/test.yml", ".data/ledger.db"),
    ],
)
def test_what_a_developer_s_machine_leaves_in_the_folder_stays_there(
    name: str, tmp_path: Path
) -> None:
    assert is_left_out([name, "function_app.py"], tmp_path) == [name]
