"""The embedded model finds what a topic asks for, whatever script it is written in."""

from __future__ import annotations

import pytest

from countersign.sources.documents import DocumentLibrary
from countersign.team.claims import contradict, near_duplicates
from countersign.team.extractive.research import findings
from countersign.team.questions import Shown

ENGLISH = "Honeybees in cities fly up to five kilometres from their hive. Bread is made of flour."
GERMAN = (
    "Die B\u00e4ckerei am Markt \u00f6ffnet t\u00e4glich um sechs Uhr."
    " Der Hund schl\u00e4ft im Garten."
)
RUSSIAN = (
    "\u041f\u0447\u0451\u043b\u044b \u0432 \u0433\u043e\u0440\u043e\u0434\u0435 \u0441\u043e\u0431"
    "\u0438\u0440\u0430\u044e\u0442 \u043d\u0435\u043a\u0442\u0430\u0440 \u0432\u0435\u0441\u043d"
    "\u043e\u0439. \u0425\u043b\u0435\u0431 \u043f\u0435\u043a\u0443\u0442 \u0438\u0437 \u043c"
    "\u0443\u043a\u0438 \u0438 \u0432\u043e\u0434\u044b \u0443\u0442\u0440\u043e\u043c."
)
CHINESE = (
    "\u57ce\u5e02\u4e2d\u7684\u871c\u8702\u5728\u6625\u5929\u91c7\u96c6\u82b1\u871c\u3002"
    "\u9762\u5305\u662f\u7528\u9762\u7c89\u548c\u6c34\u5236\u6210\u7684\u98df\u54c1\u3002"
)
HINDI = (
    "\u0936\u0939\u0930 \u092e\u0947\u0902 \u092e\u0927\u0941\u092e\u0915\u094d\u0916\u093f\u092f"
    "\u093e\u0901 \u0935\u0938\u0902\u0924 \u092e\u0947\u0902 \u0930\u0938 \u0907\u0915\u091f"
    "\u094d\u0920\u093e \u0915\u0930\u0924\u0940 \u0939\u0948\u0902\u0964 \u0930\u094b\u091f\u0940"
    " \u0906\u091f\u0947 \u0914\u0930 \u092a\u093e\u0928\u0940 \u0938\u0947 \u092c\u0928\u0924"
    "\u0940 \u0939\u0948\u0964"
)
KOREAN = (
    "\ub3c4\uc2dc\uc758 \uafc0\ubc8c\uc740 \ubd04\uc5d0 \uafc0\uc744 \ub9ce\uc774 \ubaa8\uc740"
    "\ub2e4. \ube75\uc740 \ubc00\uac00\ub8e8\uc640 \ubb3c\ub85c \ub9cc\ub4e0 \uc74c"
    "\uc2dd\uc774\ub2e4."
)
ARABIC = (
    "\u064a\u062c\u0645\u0639 \u0627\u0644\u0646\u062d\u0644 \u0641\u064a \u0627\u0644\u0645\u062f"
    "\u064a\u0646\u0629 \u0627\u0644\u0631\u062d\u064a\u0642 \u0641\u064a \u0627\u0644\u0631\u0628"
    "\u064a\u0639. \u064a\u0635\u0646\u0639 \u0627\u0644\u062e\u0628\u0632 \u0645\u0646 \u0627"
    "\u0644\u062f\u0642\u064a\u0642 \u0648\u0627\u0644\u0645\u0627\u0621."
)


def quoted(topic: str, text: str, subtopic: str | None = None) -> list[str]:
    """What is quoted of a document that a library's search has found."""
    library = DocumentLibrary([{"title": "Notes", "text": text}])
    shown = [
        Shown(passage.source.id, passage.source.title, passage.text)
        for passage in library.search(f"{subtopic or ''} {topic}")
    ]
    return [each.quote for each in findings(topic, subtopic or topic, shown).findings]


@pytest.mark.parametrize(
    ("topic", "text"),
    [
        ("Honeybees in cities", ENGLISH),
        ("H\u043eneybees in \u0441ities", ENGLISH),  # Cyrillic letters that look like Latin ones
        ("\u041f\u0447\u0451\u043b\u044b: honeybees in cities", ENGLISH),  # a word of its own
        ("\u57ce\u5e02 Honeybees \u03bc\u03ad\u03bb\u03b9", ENGLISH),  # two of them
        ("Oeffnung der Backerei am Markt", GERMAN),  # no accents
        ("Ba\u0308ckerei am Markt", GERMAN),  # accents that are characters of their own
        ("\u041f\u0447\u0435\u043b\u044b \u0432 \u0433\u043e\u0440\u043e\u0434\u0430\u0445",
         RUSSIAN),  # another case, and no accent
        ("\u041f\u0447\u0451\u043b\u044b \u0432 \u0433\u043e\u0440o\u0434e", RUSSIAN),  # Latin o, e
        ("\u871c\u8702\u548c\u82b1\u871c", CHINESE),
        ("\u57ce\u5e02\u91cc\u7684\u871c\u8702\uff1f", CHINESE),
        ("\u092e\u0927\u0941\u092e\u0915\u094d\u0916\u093f\u092f\u094b\u0902 \u0915\u093e \u0936"
         "\u0939\u0930", HINDI),
        ("\uafc0\ubc8c\uc774 \ub3c4\uc2dc\uc5d0\uc11c", KOREAN),
        ("\u0646\u062d\u0644 \u0627\u0644\u0645\u062f\u064a\u0646\u0629", ARABIC),
    ],
)  # fmt: skip
def test_a_topic_finds_the_sentence_on_it_in_any_script(topic: str, text: str) -> None:
    [found] = quoted(topic, text)
    assert text.startswith(found)


@pytest.mark.parametrize(
    "topic",
    [
        "\u041f\u0447\u0451\u043b\u044b \u0432 \u0433\u043e\u0440\u043e\u0434\u0435",
        "P\u0447\u0451l\u044b \u0432 \u0433\u043e\u0440\u043e\u0434\u0435",
    ],
)
def test_a_subtopic_is_enough_where_the_sources_have_no_word_of_the_topics_script(
    topic: str,
) -> None:
    assert quoted(topic, ENGLISH) == []
    [found] = quoted(topic, ENGLISH, subtopic="Honeybees in cities")
    assert ENGLISH.startswith(found)


@pytest.mark.parametrize(
    ("topic", "text"),
    [
        ("\u706b\u7bad\u53d1\u52a8\u673a", CHINESE),
        ("\u0420\u0430\u043a\u0435\u0442\u044b", RUSSIAN),
        ("Raketen im Weltraum", GERMAN),
        ("R\u043eckets", ENGLISH),
    ],
)
def test_a_topic_that_the_sources_do_not_treat_finds_nothing_in_any_script(
    topic: str, text: str
) -> None:
    assert quoted(topic, text) == []


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            "Der Bund zahlt die Kosten der neuen Linie.",
            "Der Bund zahlt die Kosten der neuen Linie nicht.",
        ),
        (
            "\u871c\u8702\u5728\u57ce\u5e02\u91cc\u91c7\u871c",
            "\u871c\u8702\u4e0d\u5728\u57ce\u5e02\u91cc\u91c7\u871c",
        ),
    ],
)
def test_a_not_of_any_language_parts_two_claims(one: str, other: str) -> None:
    assert not near_duplicates(one, other)
    assert contradict(one, other)
