"""What people read is plain English: phrases that were riddles once don't come back."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from testbed.written import documents, prose, said, shown

BANNED = (
    # Not English.
    r"\bin work\b",
    r"sources? (?:do not|don't) carry",
    r"goes beyond (?:the|version)[\w ]* in\b",
    r"otherwise nothing is\b",
    r"not ordered in\b",
    r"have to be just (?:these|so)\b",
    r"\bother ends\b",
    r"\bwrite unknown\b",
    r"by an? (?:purchase|report) escalation\b",
    r"\bneeds an owner\b",
    r"\bsaid at the fields\b",
    r"\bask(?:ed)? by those asked next\b",
    r"\bas it was asked for\b",
    r"\bdecided? about\b",
    r"\bmend(?:s|ed|ing)?\b",
    r"\bdoorbell\b",
    r"\brings? (?:for|the|that)\b",
    r"\bloose ends?\b",
    r"\bbegun with\b",
    r"\bcan't be had\b",
    r"\bin the books\b",
    r"\bis no (?:folder|setting|URL|model|checkpoint)\b",
    r"\bis of no version\b",
    r"\bwhoever\b",
    r"\banew\b",
    r"\bholds? up\b",
    r"\bstands? (?:in|at) (?:a|an|the|no|its|their|this|another)\b",
    r"\bgoes on\b",
    r"\bheard of\b",
    r"\bin whatever\b",
    r"\b(?:what|that) nobody here\b",
    r"\bwhat became of\b",
    r"\bmore or less\b",
    # Another word for a thing that the glossary names.
    r"\btak(?:e|en|es) (?:the|your(?: own)?|a|this) request back\b",
    r"\bsent back\b",
    r"\bask(?:s|ed)? for (?:a|an|the) (?:report|order|research)\b",
    r"\bask(?:s|ed)? for changes\b",
    r"\b(?:decision|approval)s? (?:is|are) awaited\b",
    r"\bproof bundles?\b",
)
"""Regular expressions, in any case, each with a word boundary where a longer word is no riddle."""

SPOKEN = (
    *("countersign", "endpoints", "activities", "orchestrators", "local", "samples"),
    "dev.py",
)
PAGE = "countersign/review/page"
PHRASE = re.compile("|".join(BANNED), re.IGNORECASE)


def sentences() -> Iterator[tuple[str, str]]:
    """All that people read, each text with its place."""
    for name, document in documents().items():
        for paragraph in prose(document).split("\n\n"):
            yield name, " ".join(paragraph.split())
    for place, text in (*said(*SPOKEN), *shown(PAGE)):
        # What programs compare has no blank in it.
        if " " in text:
            yield place, " ".join(text.split())


def riddles(texts: Iterator[tuple[str, str]]) -> list[str]:
    """The phrases in some texts that are banned, with their places."""
    return [f"{place}: {found[0]}" for place, text in texts for found in PHRASE.finditer(text)]


def test_no_banned_phrase_is_in_anything_that_people_read() -> None:
    assert riddles(sentences()) == []


@pytest.mark.parametrize(
    "phrase",
    [
        "In work",
        "Sources don't carry it",
        "It goes beyond the order before in nothing.",
        "Otherwise nothing is.",
        "Currencies that are not named are not ordered in",
        "the letters have to be just these",
        "Other ends",
        "Write unknown",
        "by a purchase escalation",
    ],
)
def test_a_phrase_that_comes_back_is_found(phrase: str) -> None:
    assert riddles(iter([("here", phrase)])) != []


def test_texts_are_collected_from_each_place_where_people_read() -> None:
    places = {place.partition(":")[0] for place, _ in sentences()}
    for part in ("README.md", "docs/http.md", "local/welcome.py", "endpoints/openapi.py", "dev.py"):
        assert part in places
    assert any(place.endswith(".js") for place in places)
    assert any(place.endswith("notices/message.py") for place in places)
