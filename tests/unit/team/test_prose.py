"""Where sentences end, in the languages in which reports are written."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from countersign.team.sentences import begins_sentence, ends_sentence, sentences

# A text with "|" where one sentence ends and the next begins.
TEXTS = [
    "One thing is so. |Another isn't.",
    "Is it so? |No! |It isn't.",
    "It is so. [1] |Another isn't. [2][3]",
    "It is so [1]. |Another isn't [2, 3].",
    "It is so.[1] |Another isn't.[2]",
    'He said "No." [1] |Then he left.',
    "She said \u201cNo.\u201d |Then she left.",
    "Dr. Smith met Mr. J. R. Jones. |They talked.",
    "Retries, e.g. of a call, may run twice. |That is known.",
    "See Smith et al. 2020 and Fig. 3 there. |It says so.",
    "The U.S. market grew. |So did ours.",
    "It rose to 3.5 percent. |Then it fell to 2.",
    "Version 1.2.3 is out. |See example.com for more.",
    "It was signed on Jan. 3 in No. 10. |Nobody came.",
    "Wait... |Nothing came. |It was 5 p.m. in Rome.",
    "It costs 5 euros. |3 were sold.",
    "(It is so.) |Another isn't.",
    "A heading\n\n|A sentence follows it.",
    "Am 3. Mai 1990 war es so. |Am 4. Mai nicht mehr.",
    "Im 19. Jahrhundert galt das z. B. in Wien. |Heute nicht.",
    "Friedrich II. von Preu\u00dfen starb 1786. |Er war der 3. K\u00f6nig.",
    "Das kostet ca. 5 Mio. Euro bzw. 3 Mrd. Dollar. |Das ist viel.",
    "Er sagte: \u201eNein.\u201c |Dann ging er.",
    "Siehe Abs. 3 und Nr. 7. |Das gilt.",
    "Es waren 7. |Sp\u00e4ter kamen mehr.",
    "M. Dupont est venu. |Il a dit \u00ab Non. \u00bb |Puis il est parti.",
    "\u00bfEs as\u00ed? |No. |\u00a1Claro!",
    "桥关闭了。|人们绕行。",
    "橋は閉鎖された。[1]|人々は迂回した。[2]",
    "她说\u300c不行。\u300d|然后走了。",
    "다리가 닫혔다. |사람들은 돌아갔다.",
    "الجسر مغلق. |هل هذا صحيح؟ |نعم.",
    "The word ended in Elm St. and went on. |Then it stopped.",
    "It is iPhone 5 vs. Pixel 3. |Both work.",
]


@pytest.mark.parametrize("marked", TEXTS)
def test_a_text_falls_into_its_sentences(marked: str) -> None:
    text = marked.replace("|", "")
    found = [text[start:end] for start, end in sentences(text)]
    assert found == [part.strip() for part in marked.split("|")]


@given(st.text(alphabet="aB1. \n[]!?\u3002\u201c\u201d\"'\u2026", max_size=80))
def test_no_word_is_lost_and_none_is_in_two_sentences(text: str) -> None:
    spans = sentences(text)
    kept = "".join(text[slice(*span)] for span in spans)
    assert "".join(kept.split()) == "".join(text.split())
    assert all(one[1] <= other[0] for one, other in pairwise(spans))


@pytest.mark.parametrize(
    ("before", "begins"),
    [
        ("", True),
        ("It is so. ", True),
        ("It is so.\n\n", True),
        ("A heading\n\n", True),
        ("The list:\n- ", True),
        ("It is so. \u201c", True),
        ("It is false that ", False),
        ("He wrote that Dr. ", False),
        ("Am 3. ", False),
        ("He said: ", False),
        ("It is so; ", False),
        ("它是假的\u3002", True),
    ],
)
def test_a_sentence_begins_after_another_or_on_its_own(before: str, begins: bool) -> None:
    assert begins_sentence(before) == begins


def test_a_sentence_ends_with_its_stop() -> None:
    assert ends_sentence("It is so.")
    assert ends_sentence("It is so. [1]")
    assert not ends_sentence("It is so,")
    assert not ends_sentence("He met Dr.")
