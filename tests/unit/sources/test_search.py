from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from countersign.sources.documents import DocumentLibrary
from countersign.sources.library import UnknownSource

BEES = {"title": "Bees", "text": "Honey bees dance.", "url": "https://example.org/bees"}
ANTS = {"title": "Ants", "text": "Ants march; bees don't."}
LIBRARY = DocumentLibrary([BEES, ANTS])


@given(st.text(max_size=200))
def test_no_query_is_a_syntax_error(query: str) -> None:
    LIBRARY.search(query)


@pytest.mark.parametrize(
    "query",
    [
        '"',
        "bees AND",
        "NEAR(bees",
        "title:bees",
        "bees*",
        "^bees",
        "-bees",
        "bees' OR 1=1 --",
        "\x00bees",
    ],
)
def test_syntax_in_a_query_is_read_as_words(query: str) -> None:
    assert all("bees" in passage.text.lower() for passage in LIBRARY.search(query))


def test_a_query_of_stop_words_alone_is_still_a_query() -> None:
    library = DocumentLibrary([{"title": "Hamlet", "text": "To be or not to be."}])
    assert [passage.source.title for passage in library.search("to be or not to be")] == ["Hamlet"]


def test_words_are_found_in_another_form_and_without_accents() -> None:
    library = DocumentLibrary([{"title": "Caf\u00e9", "text": "The caf\u00e9 is dancing."}])
    assert library.search("cafe dances")


def test_the_best_match_comes_first() -> None:
    assert [passage.source.id for passage in LIBRARY.search("dancing bees")] == ["doc-1", "doc-2"]


def test_equal_matches_are_ordered_by_id() -> None:
    same = {"title": "Bees", "text": "Honey bees dance."}
    library = DocumentLibrary([same] * 5)
    expected = [f"doc-{number}" for number in range(1, 6)]
    assert [passage.source.id for passage in library.search("bees")] == expected


def test_a_source_is_known_by_its_id() -> None:
    assert LIBRARY.source("doc-1").url == "https://example.org/bees"
    assert LIBRARY.text("doc-2") == "Ants march; bees don't."
    with pytest.raises(UnknownSource, match="doc-3"):
        LIBRARY.text("doc-3")
    with pytest.raises(UnknownSource, match="doc-3"):
        LIBRARY.source("doc-3")


@pytest.mark.parametrize(
    "url",
    ["javascript:alert(1)", "file:///etc/passwd", "data:x", "", "https://who.int@evil.example/"],
)
def test_an_address_that_is_none_of_the_web_is_left_out(url: str) -> None:
    library = DocumentLibrary([{**BEES, "url": url}])
    assert library.source("doc-1").url is None


def test_a_title_is_one_short_line() -> None:
    library = DocumentLibrary([{"title": "# Bees\n\u202eand " + "more " * 99, "text": "Bees."}])
    [title] = library.titles()
    assert title.startswith("# Bees and more")
    assert len(title) <= 120


TRAM = "The tram line 12 {}."
SAME_WORDS = [
    {"title": each, "text": TRAM.format(each)} for each in ("runs at night", "costs a lot", "stops")
]
OTHERS = [
    {"title": f"Town {number}", "text": f"The mayor of town {number} gives a speech at night."}
    for number in range(12)
]


def test_what_shares_a_word_by_chance_is_left_out_where_others_are_on_the_matter() -> None:
    library = DocumentLibrary([*SAME_WORDS, *OTHERS])
    found = library.search("What does the tram line 12 cost at night?")
    assert {passage.source.title for passage in found} == {each["title"] for each in SAME_WORDS}


def test_what_has_the_words_that_all_have_is_found() -> None:
    found = DocumentLibrary(SAME_WORDS).search("costs of the tram line 12")
    assert len(found) == len(SAME_WORDS)
