"""A client that is generated from the API's description compiles, and does all that it is for."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from countersign.approvals.digest import sha256
from local.api_types import FILE, openapi_package, page_types, types_of
from local.errors import Missing
from local.node import find_node
from testbed import described

FLOW = Path(__file__).parent / "generated" / "flow.ts"
COMPILES = ["--strict", "--target", "es2022", "--module", "nodenext", "--types", "node"]


@pytest.fixture(scope="module")
def typescript() -> Path:
    """The folder of the tools that make TypeScript of a description, and compile it."""
    package = openapi_package()
    try:
        package.make_ready()
    except Missing as missing:
        if os.environ.get("COUNTERSIGN_REQUIRE_TYPESCRIPT"):
            raise
        pytest.skip(str(missing))
    return package.folder


@pytest.fixture
def client(typescript: Path) -> Iterator[Path]:
    """The folder of a client that was generated just now; packages are found from there."""
    folder = typescript / f"client-{os.getpid()}"
    folder.mkdir()
    (folder / "package.json").write_text('{"type": "module"}', "utf-8")
    (folder / "api.d.ts").write_text(types_of(described.document()), "utf-8")
    shutil.copy(FLOW, folder)
    yield folder
    shutil.rmtree(folder)


def run(*command: object, cwd: Path, **environment: str) -> str:
    done = subprocess.run(
        [find_node(), *map(str, command)],
        cwd=cwd,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_it_goes_from_a_request_to_a_receipt(desk: Any, typescript: Path, client: Path) -> None:
    compiler = typescript / "node_modules" / "typescript" / "bin" / "tsc"
    run(compiler, *COMPILES, FLOW.name, cwd=client)
    people = {"REQUESTER": desk.person("Ada", "Research.Requester"), "REVIEWER": desk.reviewer}
    told = json.loads(run("flow.js", cwd=client, API=f"{desk.host.url}/api", **people))
    assert "Report.Reviewer" in told["refused"]
    assert (told["decision"]["decision"], told["decision"]["by"]) == ("approve", "Victor")
    assert told["receipt"]["sha256"] == sha256(told["report"].encode())


def test_the_pages_types_are_those_of_the_api(typescript: Path) -> None:
    wanted = page_types()
    assert FILE.read_text("utf-8") == wanted, "run `.venv/bin/python -m local.api_types`"
