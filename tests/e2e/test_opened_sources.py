"""Whoever may see a claim may read its source around the quote, as it was kept."""

from __future__ import annotations

from typing import Any

import pytest

QUOTE = "A tidal mill stores the flood behind a gate."
FILLING = "Nothing of this is about what was asked. " * 600
BEFORE, AFTER = f"On rivers\n\n{FILLING}\n\n", f" So it is.\n\n{FILLING}\n\n{FILLING}"
TEXT = f"{BEFORE}{QUOTE}{AFTER}"
PAGES = [
    {"start": 0, "label": "p. 1", "first_row": None},
    {"start": len(BEFORE), "label": "p. 2", "first_row": None},
    {"start": len(BEFORE) + len(QUOTE) + 11, "label": "p. 3", "first_row": None},
]


@pytest.fixture
def path(desk: Any) -> str:
    """The path of the source of a claim."""
    document = {"title": "Mills", "text": TEXT, "locators": PAGES}
    operation = desk.ask("Tidal mill", documents=[document])
    desk.until_version(operation)
    version = f"operations/{operation}/proposals/1"
    claims = desk.host.call("GET", version, desk.reviewer).json()["evidence"]["claims"]
    [number] = [n for n, each in enumerate(claims, start=1) if each["quote"] == QUOTE]
    return f"{version}/claims/{number}/source"


def test_a_source_is_opened_at_the_quote_with_its_pages(desk: Any, path: str) -> None:
    opened = desk.host.call("GET", path, desk.reviewer).json()
    assert opened["source"]["title"] == "Mills"
    assert (opened["length"], opened["quote"]) == (len(TEXT), len(BEFORE))
    assert (
        "".join(each["text"] for each in opened["pieces"])
        == (TEXT[opened["start"] : opened["end"]])
    )
    [quoted] = [each for each in opened["pieces"] if each["quoted"]]
    assert (quoted["text"], quoted["where"]) == (QUOTE, "p. 2")
    assert list(dict.fromkeys(each["where"] for each in opened["pieces"])) == [
        "p. 1",
        "p. 2",
        "p. 3",
    ]


def test_all_of_a_source_can_be_read_part_by_part(desk: Any, path: str) -> None:
    first = desk.host.call("GET", f"{path}?from=0", desk.reviewer).json()
    assert first["previous"] is None
    read, start = "", first["start"]
    while start is not None:
        part = desk.host.call("GET", f"{path}?from={start}", desk.reviewer).json()
        read += "".join(each["text"] for each in part["pieces"])
        start = part["next"]
    assert read == TEXT
    opened = desk.host.call("GET", path, desk.reviewer).json()
    before = desk.host.call("GET", f"{path}?from={opened['previous']}", desk.reviewer).json()
    assert before["end"] >= opened["start"]


def test_a_source_is_nobodys_who_may_not_see_the_claim(desk: Any, path: str) -> None:
    stranger = desk.person("Stella", "Research.Requester")
    assert desk.host.call("GET", path, stranger).status_code == 403
    assert desk.host.call("GET", path, desk.requester).status_code == 200


@pytest.mark.parametrize(
    ("changed", "status"),
    [
        ("/claims/0/source", 404),
        ("/claims/999/source", 404),
        ("/claims/one/source", 404),
        ("/claims/1/source?from=-1", 422),
        ("/claims/1/source?from=x", 422),
        ("/claims/1/source?from=99999999", 200),
    ],
)
def test_what_is_no_claim_or_no_place_is_refused(
    desk: Any, path: str, changed: str, status: int
) -> None:
    version = path.partition("/claims/")[0]
    assert desk.host.call("GET", f"{version}{changed}", desk.reviewer).status_code == status
