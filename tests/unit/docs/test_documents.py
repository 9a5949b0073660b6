"""README and docs lead where they say, and name only what there is."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

import pytest

from local.commands import COMMANDS
from testbed.written import ROOT, documents, prose

PAGES = documents()
README = PAGES["README.md"]
LINK = re.compile(r"\]\(([^)\s]+)\)")


def anchors(document: str) -> set[str]:
    """The anchors that GitHub makes of a document's headings."""
    headings = re.findall(r"^#+ (.+)$", prose(document), re.MULTILINE)
    return {
        re.sub(r"[^\w\- ]", "", heading).strip().lower().replace(" ", "-") for heading in headings
    }


def test_the_readme_is_read_in_five_minutes() -> None:
    assert len(README.split()) <= 1_200


@pytest.mark.parametrize("name", PAGES)
def test_a_link_leads_to_a_file_and_a_heading_in_it(name: str) -> None:
    dead = []
    for link in LINK.findall(PAGES[name]):
        if link.startswith(("https://", "http://")):
            continue
        file, _, anchor = link.partition("#")
        target = (ROOT / name).parent / file if file else ROOT / name
        known = anchors(target.read_text("utf-8")) if target.suffix == ".md" else set()
        if not target.exists() or (anchor and anchor not in known):
            dead.append(link)
    assert dead == []


def test_every_document_is_found_from_the_readme() -> None:
    linked = {link.partition("#")[0] for link in LINK.findall(README)}
    decisions = {name for name in PAGES if name.startswith("docs/decisions/")}
    assert set(PAGES) - decisions - {"README.md", "devhost/README.md"} <= linked


def test_the_readme_names_paths_that_exist_and_forgets_no_room() -> None:
    rows = re.findall(r"^\| (`.+?) \|", README, re.MULTILINE)
    paths = [path for row in rows for path in re.findall(r"`([^`]+)`", row)]
    assert [path for path in paths if not (ROOT / path).exists()] == []
    rooms = {
        f"countersign/{room.name}/"
        for room in (ROOT / "countersign").iterdir()
        if (room / "__init__.py").exists()
    }
    assert rooms - set(paths) == set()


@pytest.mark.parametrize("name", PAGES)
def test_a_document_names_only_files_that_exist(name: str) -> None:
    named = re.findall(r"`((?:[\w-]+/)+[\w.-]+\.\w+)`", prose(PAGES[name]))
    folders = {path.name for path in ROOT.iterdir() if path.is_dir()}
    ours = [path for path in named if PurePosixPath(path).parts[0] in folders]
    assert [path for path in ours if not (ROOT / path).exists()] == []


@pytest.mark.parametrize("name", PAGES)
def test_a_document_runs_only_commands_that_dev_py_has(name: str) -> None:
    run = re.findall(r"\b(?:python3|py) dev\.py ([a-z]+)", PAGES[name])
    assert set(run) <= set(COMMANDS)


def test_every_command_of_dev_py_is_described() -> None:
    described = set(re.findall(r"^\| `python3 dev\.py ([a-z]+)", PAGES["docs/develop.md"], re.M))
    assert described == set(COMMANDS)


@pytest.mark.parametrize("name", PAGES)
def test_a_line_of_prose_fits_a_screen(name: str) -> None:
    lines = prose(PAGES[name]).splitlines()
    # A table's row, an image and a heading can't be broken.
    assert [
        line for line in lines if len(line) > 120 and not line.startswith(("|", "!", "#"))
    ] == []
