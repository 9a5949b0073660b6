"""A text in which quotes are looked up: what can't change its meaning doesn't count.

Every step takes time in proportion to the text, whatever stands in it.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from functools import cached_property
from typing import Final

from countersign.team.edited import Edit, Edited
from countersign.team.letters import is_unspaced
from countersign.team.view import EditedView, QuotePlace

FEWEST_LETTERS: Final = 6
"""Letters and digits that a quote has at least, in two words; a single word proves nothing."""

FEWEST_UNSPACED: Final = 4
"""Letters that are enough in a script that puts no blanks between words."""

_WORD = re.compile(r"\w+")


class FoldedText:
    """A text, folded once for all the quotes that are looked up in it.

    What doesn't count: how quotation marks and dashes look, blanks and the ends of lines, hyphens
    that may be there only for a line's end, marks of Markdown, entities, characters that nobody
    sees, case of the quote's first letter, and quotation marks, ellipses and a full stop at its
    ends. Everything else does, and so do signs, dashes between digits and all parts of a number.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self._read = as_text(text)
        self._plain = EditedView([self._read])

    def has(self, quote: str) -> bool:
        """Say whether these very words stand here, in this order, as whole words and numbers."""
        return self.place(quote) is not None

    def place(self, quote: str) -> QuotePlace | None:
        """Return where a quote stands; None if it doesn't, or says too little to prove anything."""
        asked = as_text(quote)
        if not _says_something(asked.text):
            return None
        if place := self._plain.place(EditedView([asked])):
            return place
        read = EditedView([asked, as_markdown(asked.text)])
        places = (view.place(read) for view in self._markdown())
        return next((place for place in places if place), None)

    def _markdown(self) -> Iterator[EditedView]:
        """Yield the text as Markdown, with and without the numbers of notes if that differs."""
        yield self._with_notes or self._plain
        if self._without_notes:
            yield self._without_notes

    @cached_property
    def _with_notes(self) -> EditedView | None:
        edited = as_markdown(self._read.text)
        return EditedView([self._read, edited]) if edited.text != self._read.text else None

    @cached_property
    def _without_notes(self) -> EditedView | None:
        edited = as_markdown(self._read.text, notes=False)
        last = (self._with_notes or self._plain).shown
        return EditedView([self._read, edited]) if edited.text != last else None


def _says_something(quote: str) -> bool:
    words = _WORD.findall(quote)
    unspaced = sum(map(is_unspaced, "".join(words)))
    letters = sum(map(len, words))
    return unspaced >= FEWEST_UNSPACED or (len(words) > 1 and letters >= FEWEST_LETTERS)


# Soft hyphens, joiners, marks of the reading direction, the Arabic line that stretches a word.
_INVISIBLE = (
    "\u00ad\u0640\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064"
    "\u2066-\u2069\ufe00-\ufe0f\ufeff"
)
_ENTITY = r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z]\w{1,31});"
_UNSEEN = re.compile(rf"{_ENTITY}|[{_INVISIBLE}]+")
_CONTROLS = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")

_LINK = re.compile(r"!?\[(?P<text>[^\[\]\n]{1,500})\]\([^()\s]{1,2000}(?:[ ]\"[^\"\n]{0,300}\")?\)")
# Before a digit a mark at the start of a line may be a sign of comparison.
_LINE_START = re.compile(r"^[ \t]{0,3}(?:#{1,6}[ \t]+|(?:>[ \t]?)+(?![\s\d>]))", re.MULTILINE)
_ESCAPE = re.compile(r"\\(?=[!-/:-@\[-`{-~])")
_NOTE = re.compile(r"\[\^\w{1,20}\]|\[\d{1,4}(?:\s?[,;\u2013-]\s?\d{1,4}){0,9}\]")
_EMPHASIS = re.compile(r"(?<!\\)(?P<mark>\*{1,3}|_{1,3}|`{1,3})|\n[ \t]*\n")


def as_text(text: str) -> Edited:
    """Return the text with its entities decoded, and without characters that nobody sees."""
    return Edited(text, ((*each.span(), _seen(each.group())) for each in _UNSEEN.finditer(text)))


def as_markdown(text: str, *, notes: bool = True) -> Edited:
    """Return what a text shows if it is Markdown, without the numbers of notes unless wanted.

    Struck out text keeps its marks, for it is not what the author says.
    """
    edits = [*_links(text), *_emphasis(text)]
    edits += [(*each.span(), "") for each in _LINE_START.finditer(text)]
    edits += [(*each.span(), "") for each in _ESCAPE.finditer(text)]
    if not notes:
        edits += [_without_note(each, text) for each in _NOTE.finditer(text)]
    return Edited(text, sorted(edits))


def _seen(part: str) -> str:
    if part[0] != "&":
        return ""
    shown = html.unescape(part)
    return "" if re.fullmatch(rf"[{_INVISIBLE}]+", shown) else _CONTROLS.sub(" ", shown)


def _links(text: str) -> Iterator[Edit]:
    for link in _LINK.finditer(text):
        yield link.start(), link.start("text"), ""
        yield link.end("text"), link.end(), ""


def _without_note(note: re.Match[str], text: str) -> Edit:
    joined = text[note.end() : note.end() + 1].isalnum()
    return *note.span(), " " if joined else ""


def _emphasis(text: str) -> Iterator[Edit]:
    """Yield the marks of emphasis and code that surround whole words of one paragraph."""
    opened: dict[str, re.Match[str]] = {}
    for found in _EMPHASIS.finditer(text):
        mark = found["mark"]
        if mark is None:
            opened.clear()
            continue
        before, after = text[found.start() - 1 : found.start()], text[found.end() : found.end() + 1]
        if mark in opened and before.strip() and not after.isalnum():
            yield *opened.pop(mark).span(), ""
            yield *found.span(), ""
        elif after.strip() and not before.isalnum():
            opened[mark] = found
