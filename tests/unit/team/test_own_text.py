"""A reviewer's own text: what code sees in each line, and what the fact-checker is asked."""

from __future__ import annotations

import pytest

from countersign.sources.library import Source
from countersign.sources.memory import MemoryLibrary
from countersign.team.budget import TokenBudget
from countersign.team.calls import Calls
from countersign.team.chat import EXTRACTIVE, ModelChoice
from countersign.team.own_text import CheckedLine, OwnLine, compare, judge, lines_in
from countersign.team.questions import Shown

TOPIC = "The tides of two seas"
TEXT = """The tide of the North Sea rises by three metres twice a day. Harbours open their gates
then. The Baltic Sea has hardly any tide, because its straits are narrow."""


@pytest.fixture
def library() -> MemoryLibrary:
    return MemoryLibrary([(Source(id="seas", title="Seas"), TEXT, ())])


def sentence(text: str) -> OwnLine:
    return OwnLine(kind="sentence", text=text)


def quote(text: str) -> OwnLine:
    return OwnLine(kind="quote", text=text)


async def checked(library: MemoryLibrary, *lines: OwnLine) -> list[CheckedLine]:
    calls = Calls(ModelChoice(provider=EXTRACTIVE, model=""), TokenBudget(100_000))
    compared = await compare(lines, library, [], TOPIC)
    return await judge(calls, compared, library, TOPIC)


HOLDS = "The tide of the North Sea rises by three metres twice a day."


@pytest.mark.parametrize(
    ("line", "state", "beside"),
    [
        (sentence(HOLDS), "holds", HOLDS),
        (sentence(HOLDS.replace("three", "nine")), "altered", HOLDS),
        (sentence(HOLDS.replace("rises", "never rises")), "altered", HOLDS),
        (sentence("Whales sing at night in the Pacific Ocean."), "unproven", None),
        # So little proves nothing
        (sentence("Yes."), "unproven", None),
        (quote("its straits are narrow"), "holds", "its straits are narrow"),
        (quote(HOLDS.replace("three metres", "a metre")), "altered", HOLDS),
        (quote("the moon is made of cheese"), "unproven", None),
    ],
)
async def test_a_line_stands_beside_the_words_that_come_nearest_to_it(
    library: MemoryLibrary, line: OwnLine, state: str, beside: str | None
) -> None:
    [told] = await checked(library, line)
    assert (told.kind, told.text, told.state) == (line.kind, line.text, state)
    assert (told.finding.words if told.finding else None) == beside
    assert told.reasons
    assert all(told.reasons)


async def test_each_line_keeps_its_own_verdict(library: MemoryLibrary) -> None:
    lines = [sentence("Nobody knows."), quote("hardly any tide"), sentence(HOLDS), sentence("No.")]
    told = await checked(library, *lines)
    assert [each.text for each in told] == [each.text for each in lines]
    assert [each.state for each in told] == ["unproven", "holds", "holds", "unproven"]


async def test_what_the_library_has_lost_is_beside_nothing(library: MemoryLibrary) -> None:
    known = [Shown("lost", "Lost", HOLDS), Shown("seas", "Seas", HOLDS)]
    [told] = await compare([sentence(HOLDS)], library, known, TOPIC)
    assert told.finding
    assert told.finding.source == "seas"


@pytest.mark.parametrize(
    ("block", "quotation", "lines"),
    [
        (
            "Tides rise [1]. They fall [2, 3].",
            False,
            ["sentence Tides rise.", "sentence They fall."],
        ),
        (
            "It says “they rise at noon” [1].",
            False,
            ["quote they rise at noon", "sentence It says “they rise at noon”."],
        ),
        # A term is no quote
        ("So-called “spring tides” rise.", False, ["sentence So-called “spring tides” rise."]),
        ("“They rise at noon.” [1], p. 3", True, ["quote They rise at noon."]),
        ("They rise at noon. [1]", True, ["quote They rise at noon."]),
        ("Overview", False, []),
        ("", False, []),
    ],
)
def test_a_block_is_taken_apart(block: str, quotation: bool, lines: list[str]) -> None:
    found = lines_in(block, quotation=quotation)
    assert [f"{each.kind} {each.text}" for each in found] == lines
