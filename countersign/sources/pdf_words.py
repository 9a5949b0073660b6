"""The words of a PDF's page and where they stand, as PDFium finds them."""

from __future__ import annotations

import ctypes
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from countersign.sources.shifted import lowered, raised

if TYPE_CHECKING:
    from pypdfium2 import PdfPage

_UPRIGHT_DEGREES = 5
_BLANKS = frozenset({0x00, 0x09, 0x0A, 0x0D, 0x20, 0xA0})

_WIDEST_GAP = 0.25
"""Between two letters of a word, in heights of a line."""

_SHIFTED = 0.12
"""How far, in heights of a line, a raised or lowered figure stands off the base line."""

_SMALL_FIGURE = 0.45
_SMALLER = 0.88

# PDFium reports a hyphen that ends a line as U+0002.
_SEEN = {0x02: "-", 0xAD: "-", 0xFFFE: "-", 0xFB00: "ff", 0xFB01: "fi", 0xFB02: "fl"} | {
    0xFB03: "ffi",
    0xFB04: "ffl",
}


class _Glyph(NamedTuple):
    """A character; y grows downwards."""

    text: str
    left: float
    right: float
    base: float
    height: float


@dataclass(slots=True)
class Word:
    """Letters without a gap. `base` is the line that they stand on; y grows downwards."""

    text: str
    left: float
    right: float
    base: float
    height: float

    @property
    def top(self) -> float:
        """Its upper edge."""
        return self.base - 0.8 * self.height


@dataclass(frozen=True, slots=True)
class PageWords:
    """A page's size and words; `turned` are words that don't stand upright."""

    width: float
    height: float
    words: list[Word]
    turned: list[str]
    unmapped: int


def words_of(page: PdfPage) -> PageWords:
    """Return the words of a page in the order in which the file draws them."""
    width, height = page.get_size()
    text = page.get_textpage()
    try:
        reader = _Reader(page, text.raw)
        reader.read()
        return PageWords(width, height, reader.words, reader.turned, reader.unmapped)
    finally:
        text.close()


class _Reader:
    """Reads a page's characters one by one, and puts them together to words.

    What is the same for all letters of a word is asked for its first one only: a call for each of
    a million letters takes long.
    """

    def __init__(self, page: PdfPage, handle: object) -> None:
        from pypdfium2 import raw

        self.words: list[Word] = []
        self.turned: list[str] = []
        self.unmapped = 0
        self._raw = raw
        self._handle = handle
        self._turn = page.get_rotation()
        self._edges = page.get_cropbox() or (0.0, 0.0, *page.get_size())
        self._box, self._x, self._y = raw.FS_RECTF(), ctypes.c_double(), ctypes.c_double()
        self._open: list[_Glyph] = []
        self._descent = 0.0
        self._upright = True

    def read(self) -> None:
        """Read all words."""
        code_at, box_at = self._raw.FPDFText_GetUnicode, self._raw.FPDFText_GetLooseCharBox
        for index in range(self._raw.FPDFText_CountChars(self._handle)):
            code = code_at(self._handle, index)
            if code in _BLANKS:
                self._close()
                continue
            box_at(self._handle, index, self._box)
            self._take(index, _SEEN.get(code) or chr(code))
        self._close()

    def _take(self, index: int, text: str) -> None:
        box = self._box
        left, low = self._shown(box.left, box.bottom)
        right, top = self._shown(box.right, box.top)
        if self._turn:
            left, right, low, top = min(left, right), max(left, right), max(low, top), min(low, top)
        height = low - top or 1.0
        last = self._open[-1] if self._open else None
        if last is None or height != last.height:
            self._descent = low - self._base(index)
        glyph = _Glyph(text, left, right, low - self._descent, height)
        if last is not None and not _follows(last, glyph):
            self._close()
            last = None
        if last is None:
            self._begin(index)
        if text.isdigit():
            glyph = glyph._replace(text=self._drawn(index, glyph))
        self._open.append(glyph)

    def _begin(self, index: int) -> None:
        angle = math.degrees(self._raw.FPDFText_GetCharAngle(self._handle, index)) - self._turn
        self._upright = abs((angle + 180) % 360 - 180) < _UPRIGHT_DEGREES
        self.unmapped += self._raw.FPDFText_HasUnicodeMapError(self._handle, index) == 1

    def _base(self, index: int) -> float:
        self._raw.FPDFText_GetCharOrigin(self._handle, index, self._x, self._y)
        return self._shown(self._x.value, self._y.value)[1]

    def _drawn(self, index: int, figure: _Glyph) -> str:
        """Return a figure as it stands: fonts have raised and lowered ones of the usual height."""
        left, right, low, high = (ctypes.c_double() for _ in range(4))
        self._raw.FPDFText_GetCharBox(self._handle, index, left, right, low, high)
        edges = (self._shown(left.value, low.value)[1], self._shown(right.value, high.value)[1])
        if max(edges) - min(edges) > _SMALL_FIGURE * figure.height:
            return figure.text
        if figure.base - max(edges) > _SHIFTED * figure.height:
            return raised(figure.text)
        return lowered(figure.text) if max(edges) - figure.base > 1 else figure.text

    def _close(self) -> None:
        if not self._open:
            return
        word = _word(self._open)
        if self._upright and not (self.words and _is_shifted(self.words[-1], word)):
            self.words.append(word)
        elif self._upright:
            _attach(self.words[-1], word)
        else:
            self.turned.append(word.text)
        self._open = []

    def _shown(self, x: float, y: float) -> tuple[float, float]:
        """Return where a point is when the page is turned as it is shown."""
        left, bottom, right, top = self._edges
        if self._turn == 0:
            return x - left, top - y
        if self._turn == 90:
            return y - bottom, x - left
        if self._turn == 180:
            return right - x, y - bottom
        return top - y, right - x


def _follows(last: _Glyph, glyph: _Glyph) -> bool:
    height = last.height
    # Both letters of a ligature stand where it stands, so the second begins with the first.
    near = glyph.left - last.right < _WIDEST_GAP * height and glyph.left > last.left - 0.1 * height
    return near and abs(glyph.base - last.base) < 0.55 * height


def _word(glyphs: list[_Glyph]) -> Word:
    text = "".join([glyph.text for glyph in glyphs])
    height = max([glyph.height for glyph in glyphs])
    main = next(glyph for glyph in glyphs if glyph.height == height)
    if height != min([glyph.height for glyph in glyphs]):
        text = _with_shifted(glyphs, main)
    if not text.isascii():
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "ignore")
    right = max([glyph.right for glyph in glyphs])
    return Word(text, glyphs[0].left, right, main.base, height)


def _with_shifted(glyphs: list[_Glyph], main: _Glyph) -> str:
    """Return the word with its figures where they stand: in "10⁶" the 6 is raised, 106 is less."""
    text = ""
    for glyph in glyphs:
        up = (main.base - glyph.base) / main.height
        if abs(up) < _SHIFTED or glyph.height > _SMALLER * main.height:
            text += glyph.text
        else:
            text += _joint(text, glyph.text, up)
    return text


def _joint(before: str, text: str, up: float) -> str:
    """Return the mark before raised or lowered text, so that it isn't taken for the word's end."""
    moved = raised(text) if up > 0 else lowered(text)
    return f" {text}" if moved == text and before[-1:].isalpha() else moved


def _is_shifted(word: Word, small: Word) -> bool:
    """Return whether a word is an exponent or an index of the one that was drawn before it."""
    height = word.height
    beside = -0.1 * height < small.left - word.right < _WIDEST_GAP * height
    off = _SHIFTED * height < abs(word.base - small.base) < 0.8 * height
    return beside and off and small.height < _SMALLER * height


def _attach(word: Word, small: Word) -> None:
    word.text += _joint(word.text, small.text, word.base - small.base)
    word.right = max(word.right, small.right)
