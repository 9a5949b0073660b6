"""The modules of the reviewer's page, as far as their text alone can break a promise."""

from __future__ import annotations

import posixpath
import re
from graphlib import TopologicalSorter
from typing import get_args

import pytest

from countersign.approvals.events import Decision, Event, VersionOrigin
from countersign.approvals.outcome import Ending
from countersign.operations.summary import stages, states
from countersign.review.bundle import LIBRARY
from countersign.review.files import page_files
from endpoints.answers.problems import PROBLEMS

FILES = {name: file.read_text("utf-8") for name, file in page_files().items()}
MODULES = {
    name: text
    for name, text in FILES.items()
    if name.endswith(".js") and not name.startswith(LIBRARY)
}

MAKES_MARKUP = re.compile(
    r"\b(innerHTML|outerHTML|insertAdjacentHTML|setHTML\w*|createContextualFragment|srcdoc"
    r"|document\.write|eval|Function\()"
)


ARROWS = {
    "browser": set[str](),
    "elements": {"browser"},
    "session": {"browser", "elements"},
    "words": {"browser", "elements", "session"},
    "shell": {"browser", "elements", "session", "words"},
    "lists": {"words"},
    "passkeys": {"browser", "elements", "session", "words"},
    "proposal": {"browser", "elements", "session", "words", "lists", "passkeys"},
    "operation": {"browser", "elements", "session", "words", "lists", "proposal"},
    "request": {"browser", "elements", "session", "words"},
    "writing": set[str](),
    "report": {"browser", "elements", "session", "words", "proposal", "request", "writing"},
    "order": {"browser", "elements", "session", "words", "proposal", "request"},
    "inbox": {
        *("browser", "elements", "session", "words"),
        *("shell", "lists", "proposal", "operation", "order"),
    },
    "kinds": {"words", "report", "order"},
}
"""Which rooms the modules of a room import from; each only from rooms above it."""


def imported(name: str) -> list[str]:
    """The modules that one imports, by their paths in the page's folder."""
    named = re.findall(r'^(?:import|\} from)[^"]*"([^"]+)"', MODULES[name], re.MULTILINE)
    return [posixpath.normpath(posixpath.join(posixpath.dirname(name), each)) for each in named]


@pytest.mark.parametrize("name", sorted(MODULES))
def test_a_module_imports_only_what_there_is(name: str) -> None:
    assert {*imported(name)} - {*MODULES} == set()


def test_rooms_import_from_those_that_are_named_here_and_never_in_a_circle() -> None:
    found = {room: set[str]() for room in ARROWS}
    for name in MODULES.keys() - {"main.js"}:
        room = posixpath.dirname(name)
        found[room] |= {posixpath.dirname(each) for each in imported(name)} - {room}
    assert found == ARROWS
    for place, (room, others) in enumerate(ARROWS.items()):
        assert others <= {*list(ARROWS)[:place]}, room


def test_modules_of_one_room_import_each_other_in_no_circle() -> None:
    TopologicalSorter({name: imported(name) for name in MODULES}).prepare()


@pytest.mark.parametrize("name", sorted(MODULES))
def test_no_module_makes_markup_out_of_text(name: str) -> None:
    assert MAKES_MARKUP.findall(MODULES[name]) == []


def test_only_the_report_is_parsed_as_markup() -> None:
    parsing = {
        name for name, text in MODULES.items() if "DOMParser" in text or "createPolicy" in text
    }
    assert parsing == {"report/report.js"}


@pytest.mark.parametrize("name", sorted(name for name in FILES if not name.startswith(LIBRARY)))
def test_nothing_is_loaded_from_elsewhere(name: str) -> None:
    addresses = set(re.findall(r"\bhttps?://[^\s\"')]+", FILES[name]))
    assert addresses <= {"http://www.w3.org/2000/svg"}


def test_the_page_has_no_script_or_style_of_its_own_in_the_markup() -> None:
    page = FILES["index.html"]
    assert re.findall(r"<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)", page) == []


def test_every_problem_has_a_sentence_of_its_own() -> None:
    explained = set(re.findall(r"^  (\w+): \(", MODULES["words/problem-notice.js"], re.MULTILINE))
    assert PROBLEMS.keys() - explained == set()


def test_every_event_has_a_sentence_of_its_own() -> None:
    happenings = {kind.__name__ for kind in get_args(Event)}
    told = set(re.findall(r"^  (\w+): \(", MODULES["operation/happening.js"], re.MULTILINE))
    assert happenings - told == set()


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ("STATES", states()),
        ("ENDS", ("published", "ordered", *get_args(Ending))),
        ("STAGES", stages()),
        ("ORIGINS", get_args(VersionOrigin)),
        ("DECISIONS", get_args(Decision)),
    ],
)
def test_every_word_of_the_api_has_plain_words(table: str, words: tuple[str, ...]) -> None:
    told = keys_of(rf"const {table} = \{{(.*?)\n\}};", MODULES["words/words.js"])
    for name in (each for each in MODULES if each.startswith("kinds/")):
        told |= keys_of(rf"^  {table.lower()}: \{{(.*?)\}},\n", MODULES[name])
        if table == "STATES":
            told |= {*re.findall(r'^  done: "(\w+)"', MODULES[name], re.MULTILINE)}
    assert {*words} - told == set()


def keys_of(table: str, text: str) -> set[str]:
    """The keys of a table in the text of a module; none if it has no such table."""
    found = re.search(table, text, re.DOTALL | re.MULTILINE)
    return {*re.findall(r"\b(\w+):", found.group(1))} if found else set()
