from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from countersign.sources.documents import DocumentLibrary
from countersign.team.models import SubtopicFinding
from countersign.team.quotes import checked, stands_in

TEXT = """\
   An activity may run twice, so it must be idem-
   potent.  The well-
   known remedy is an idempotency key \u2013 the
   server\u2019s \u201cmemory\u201d.  It cannot be left out: unsafe operations fail.
"""


@pytest.mark.parametrize(
    "quote",
    [
        "An activity may run twice, so it must be idempotent.",  # a word cut at the line's end
        "The well-known remedy is an idempotency key",  # a hyphen at the line's end
        'an idempotency key - the server\'s "memory"',  # other dashes and quotation marks
        "  An activity\n\nmay   run twice ",  # other white space
        "activity may run twice",  # a part of a sentence
    ],
)
def test_a_quote_stands_however_the_lines_fall(quote: str) -> None:
    assert stands_in(quote, TEXT)


@pytest.mark.parametrize(
    "quote",
    [
        "An activity may run once, so it must be idempotent.",  # another word
        "An activity may run twice ... it must be idempotent.",  # something left out
        "it must be idempotent. An activity may run twice",  # another order
        "an Activity may run twice, so it must be idempotent",  # another case within it
        "safe operations fail, operations fail",  # words added
        "safe operations fail",  # the end of "unsafe"
        "It can be left out: unsafe operations fail.",  # "not" left out
        "twice",  # a single word proves nothing
        "---- ---- ---- ----",  # no words
        "",  # nothing
    ],
)
def test_what_was_not_said_does_not_stand(quote: str) -> None:
    assert not stands_in(quote, TEXT)


WORDS = st.lists(st.text(alphabet="abcdefg", min_size=1, max_size=9), min_size=12, max_size=40)


@given(WORDS, st.data())
def test_any_run_of_words_stands_wherever_lines_break(
    words: list[str], data: st.DataObject
) -> None:
    breaks = st.sampled_from([" ", "\n", "\n   ", "  "])
    text = "".join(word + data.draw(breaks) for word in words)
    quote = " ".join(words[2:-2])
    assert stands_in(quote, text)


@given(WORDS, st.integers(0, 7))
def test_a_changed_word_never_stands(words: list[str], place: int) -> None:
    changed = [*words[:place], "zz", *words[place + 1 :]]
    assert not stands_in(" ".join(changed), " ".join(words))


@given(st.text(max_size=60), st.text(max_size=200))
def test_any_text_can_be_asked_for(quote: str, text: str) -> None:
    stands_in(quote, text)


def finding(quote: str, source: str) -> SubtopicFinding:
    return SubtopicFinding(claim="A claim.", quote=quote, source=source, subtopic="Retries")


def test_each_finding_is_looked_up_in_its_own_source() -> None:
    library = DocumentLibrary(
        [
            {"title": "One", "text": "Every retry needs a limit."},
            {"title": "Two", "text": "Nothing."},
        ]
    )
    quote = "Every retry needs a limit."
    findings = [finding(quote, "doc-1"), finding(quote, "doc-2"), finding(quote, "gone")]
    assert [each.found for each in checked(findings, library)] == [True, False, False]
