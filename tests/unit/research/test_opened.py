"""A part of a source, cut at its pages and at the quote, wherever that stands."""

from __future__ import annotations

import pytest

from countersign.research import opened
from countersign.research.opened import MOST, OpenedSource, Quoted
from countersign.sources.library import Source
from countersign.sources.locators import Locator
from countersign.sources.memory import MemoryLibrary
from countersign.team.context import passage_of
from countersign.team.folded import FoldedText

QUOTE = "Every retry needs a limit."
PARAGRAPH = "So it is said in many words, and more than once. " * 20


def open_at(text: str, start: int | None = None, *, kept: bool = True) -> OpenedSource:
    locators = (Locator(start=0, label="p. 1"), Locator(start=len(text) // 2, label="p. 2"))
    library = MemoryLibrary([(Source(id="s", title="S"), text, locators)])
    passage = passage_of(QUOTE, FoldedText(text))
    if passage and not kept:
        passage = passage.model_copy(update={"start": None, "end": None})
    quoted = Quoted(source="s", quote=QUOTE, passage=passage)
    return opened._opened(library, quoted, start)


@pytest.mark.parametrize("kept", [True, False])  # without: as before places were kept
@pytest.mark.parametrize("before", [0, 1, 9, 60, 200])
@pytest.mark.parametrize("after", [0, 60])
def test_the_quote_is_in_the_part_that_is_opened(before: int, after: int, kept: bool) -> None:
    text = f"{PARAGRAPH}\n\n" * before + QUOTE + f"\n\n{PARAGRAPH}" * after
    part = open_at(text, kept=kept)
    assert "".join(each.text for each in part.pieces) == text[part.start : part.end]
    assert next(each.text for each in part.pieces if each.quoted).startswith("Every")
    assert part.quote == text.index(QUOTE)
    assert part.end - part.start <= MOST


def test_a_quote_over_two_pages_is_marked_on_both() -> None:
    text = f"The first. {QUOTE} The last."
    assert [(each.where, each.text) for each in open_at(text).pieces if each.quoted] == [
        ("p. 1", QUOTE[: len(text) // 2 - 11]),
        ("p. 2", QUOTE[len(text) // 2 - 11 :]),
    ]


def test_a_source_without_the_quote_is_opened_at_its_beginning() -> None:
    part = open_at("It says something else.")
    assert (part.start, part.quote, part.previous) == (0, None, None)
    assert not any(each.quoted for each in part.pieces)


@pytest.mark.parametrize("text", ["", "a", f"{'x' * (3 * MOST)}", f"{PARAGRAPH}\n\n" * 400])
def test_the_parts_of_a_source_are_all_of_it(text: str) -> None:
    read, start = "", 0
    while True:
        part = open_at(text, start)
        read += "".join(each.text for each in part.pieces)
        if part.end >= part.length:
            break
        assert part.end > start
        start = part.end
    assert read == text
