"""A comment is about words that the version has, whichever way somebody copied them."""

from __future__ import annotations

import pytest

from countersign.reports.comments import PassageComment
from countersign.reports.misquoted import misquoted
from countersign.reports.report_bodies import ReportDecisionBody
from countersign.review.render import to_html

TEXT = """# Bees

Bees do *not* fly **at night**, says [the guide](https://bees.example/a?b=1&c="2") & others.[^1]

| kind | range |
|---|---|
| honey\u00ad bee | 5 km |

- [ ] Ask about *Bombus*

[^1]: Guide, page 4.
"""


def misquotes(*quotes: str, title: str = "Insects") -> list[str]:
    comments = [PassageComment(quote=each, start=0, comment="Why?") for each in quotes]
    return [*misquoted(comments, title, TEXT, to_html(TEXT))]


@pytest.mark.parametrize(
    "quote",
    [
        "Bees do not fly at night",  # as it is read
        "Bees do *not* fly **at night**",  # as it is written
        "Bees Bees do not",  # over the end of a heading
        "Bees\n\n  do\u00a0not fly",  # with other blanks
        "the guide & others.1",  # with the sign of a footnote
        "kind range honey bee 5 km",  # a table
        "honey⟨U+00AD⟩ bee",  # as the page shows what can't be seen
        "☐ Ask about Bombus",
        "Insects Bees",  # the title stands above a text that begins with another one
        "Guide, page 4.",
    ],
)
def test_words_of_the_version_may_be_commented_on(quote: str) -> None:
    assert misquotes(quote) == []


@pytest.mark.parametrize(
    "quote",
    [
        "Bees do fly at night",  # a word less
        "Bees do not fly at night!",
        "Bees do not fly at nighт",  # a Cyrillic letter
        "at night, Bees do not fly",
        '<a href="https://bees.example/',  # what nobody reads
        "target=_blank",
    ],
)
def test_other_words_are_not_said_to_be_of_the_version(quote: str) -> None:
    assert misquotes("Bees", quote) == ["comments.1.quote"]


def test_the_same_comment_again_is_not_said_twice() -> None:
    again = {"quote": "Bees", "start": 0, "comment": "Why?"}
    once, often = (
        ReportDecisionBody.model_validate(
            {"decision": "revise", "digest": "0" * 64, "comments": [again] * times}
        )
        for times in (1, 50)
    )
    assert once.on_passages() == often.on_passages()
