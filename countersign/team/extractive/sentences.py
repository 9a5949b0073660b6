"""Find the sentences of a text that can stand alone as a quote."""

from __future__ import annotations

import re
from collections.abc import Iterator

from countersign.sources.terms import is_paired
from countersign.team.letters import is_mark

SHORTEST_WORDS, LONGEST_WORDS = 5, 60
SHORTEST, LONGEST = 20, 420

_PARAGRAPH_END = re.compile(r"\n[ \t]*\n")
_HYPHEN_AT_LINE_END = re.compile(r"(?<=\w)-\n[ \t]*(?=\w)")
_LIST_ITEM = re.compile(r"^[ \t]*(?:[-*+•o]|\(?\d{1,3}[.)]|\(?[a-z][.)])[ \t]+", re.MULTILINE)

# What the pages of an RFC and the like repeat at top and bottom.
_PAGE_LINE = re.compile(r"^.*\[Page \d+\][ \t]*$|^RFC \d+ .*\d{4}[ \t]*$", re.MULTILINE)

# A full stop ends a sentence only if what follows can begin one. Numbers of notes may come between.
# Scripts without blanks between words have full stops of their own.
_STOPS = ".!?\u061f\u06d4\u0964"
_UNSPACED_STOPS = "\u3002\uff01\uff1f"
_CLOSING = r"\"'\u201d\u2019)\]\u300d\u300f\uff09"
_END = re.compile(
    rf"(?<=[{_STOPS}])(?P<closing>[{_CLOSING}]*)(?:\[\d+\])*"
    rf"(?:\s+(?=[\"'\u201c\u2018(\[]?[^\Wa-z_])|\s*$)"
    rf"|(?<=[{_UNSPACED_STOPS}])(?P<closed>[{_CLOSING}]*)\s*"
)
_NOTE = re.compile(r"\[\d+\]")
_ABBREVIATION = re.compile(
    r"(?:\b(?:e\.g|i\.e|cf|vs|approx|al|fig|sec|vol|pp|dr|mr|mrs|ms|prof|inc|ltd)"
    r"|\b[A-Z])\.$",
    re.IGNORECASE,
)
# A sentence with a large number in it is one; a line of figures is none.
_LETTERS = 0.65

_TERMINAL = re.compile(rf"[{_STOPS}{_UNSPACED_STOPS}][{_CLOSING}]*$")
_ASKS = ("?", "\uff1f", "\u061f")

# A sentence that talks to a model is no statement about the world. Leaving it out keeps reports
# clean; what protects them is that no sentence, whatever it says, is ever obeyed.
_TALKS_TO_A_MODEL = re.compile(
    r"\b(?:ignore|disregard|forget|override)\b.{0,60}\b(?:instructions?|prompts?|rules)\b"
    r"|\b(?:system prompt|as an ai|you are now|you must (?:now )?approve)\b",
    re.IGNORECASE | re.DOTALL,
)


def sentences(text: str) -> list[str]:
    """Return the sentences worth quoting, in order, with their white space folded.

    Understands hard-wrapped lines, lists, headings, page breaks and common abbreviations. Leaves
    out headings, fragments, questions, tables and code, and sentences addressed to a model.
    """
    return [
        sentence
        for block, is_item in _blocks(_PAGE_LINE.sub("\n", text))
        for sentence in _split(block)
        if _quotable(sentence, is_item=is_item)
    ]


def _blocks(text: str) -> Iterator[tuple[str, bool]]:
    for paragraph in _PARAGRAPH_END.split(_HYPHEN_AT_LINE_END.sub("-", text)):
        first, *items = _LIST_ITEM.split(paragraph)
        yield " ".join(first.split()), False
        for item in items:
            yield " ".join(item.split()), True


def _split(block: str) -> Iterator[str]:
    begin = 0
    for end in _END.finditer(block):
        sentence = block[begin : max(map(end.end, ("closing", "closed")))].strip()
        if not _ABBREVIATION.search(sentence):
            yield sentence
            begin = end.end()
    yield block[begin:].strip()


def _quotable(sentence: str, *, is_item: bool) -> bool:
    # Two letters of a script without blanks between words say about as much as a word.
    paired = sum(map(is_paired, sentence))
    return (
        SHORTEST_WORDS <= len(sentence.split()) + paired // 2 <= LONGEST_WORDS
        and SHORTEST <= len(sentence) + paired <= LONGEST
        and _is_whole(sentence, is_item=is_item)
        and _is_prose(sentence)
        and not _TALKS_TO_A_MODEL.search(sentence)
    )


def _is_whole(sentence: str, *, is_item: bool) -> bool:
    begins = sentence.lstrip("\"'\u201c\u2018([")[:1]
    if not begins.isalnum() or begins.islower() or sentence.endswith(_ASKS):
        return False
    return bool(_TERMINAL.search(sentence)) or (is_item and _is_phrase(sentence))


def _is_phrase(item: str) -> bool:
    # A numbered heading looks like a list item, but most of its words begin with a capital.
    words = item.split()
    return item[-1] not in ",;:" and sum(word[0].isupper() for word in words) <= len(words) / 2


def _is_prose(sentence: str) -> bool:
    letters = sum(map(_is_of_prose, sentence))
    figures = sum(character.isdigit() for character in sentence)
    marked = _NOTE.search(sentence) or "..." in sentence or "|" in sentence
    mostly = letters >= _LETTERS * len(sentence) and letters + figures >= 0.8 * len(sentence)
    return mostly and not marked


def _is_of_prose(character: str) -> bool:
    return character.isalpha() or character.isspace() or is_mark(character)
