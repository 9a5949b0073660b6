"""Read a PDF: its columns in order, its tables as rows, and the page of each part."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import median
from typing import TYPE_CHECKING

from countersign.sources.blocks import MOST_CHARACTERS, Blocks
from countersign.sources.listed import listed
from countersign.sources.pdf_columns import columns, looks_columnar
from countersign.sources.pdf_margins import without_margins
from countersign.sources.pdf_paragraphs import Paragraph, paragraphs
from countersign.sources.pdf_pieces import TextPiece, pieces_of
from countersign.sources.pdf_rulings import Rulings, rulings_of
from countersign.sources.pdf_tables import taken_tables
from countersign.sources.pdf_words import PageWords, words_of
from countersign.sources.reading import Document, TooLong, Unreadable
from countersign.sources.titles import own_title

if TYPE_CHECKING:
    from pypdfium2 import PdfDocument

MOST_PAGES = 2_000

LOCKED = "it is locked with a password: save a copy without one"
PICTURES = (
    "its pages are pictures without any text, as from a scanner: have the text recognised first"
)
DAMAGED = "it is no PDF, or a damaged one"

_NOTE_HEIGHT = 0.93
_MOST_UNMAPPED = 0.2


def read_pdf(data: bytes, name: str) -> Document:
    """Read a PDF, also one that only restricts what may be done with it.

    Raises:
        Unreadable: It is none, asks for a password, has more than MOST_PAGES pages, or no text.
        TooLong: Its text has more than MOST_CHARACTERS characters.
    """
    opened = _opened(data)
    drawn = list(_pages(opened))
    pages = [page for page, _ in drawn]
    if not any(page.words or page.turned for page in pages):
        raise Unreadable(PICTURES)
    writer = _Writer()
    for number, words in enumerate(without_margins(pages), start=1):
        page, rulings = drawn[number - 1]
        tables, others = taken_tables(words, rulings)
        writer.page(number, page, [*pieces_of(others), *tables])
    title = own_title(str(opened.get_metadata_value("Title")))
    return writer.ended().document(title or name, _warnings(pages, writer.across))


def _opened(data: bytes) -> PdfDocument:
    from pypdfium2 import PdfDocument, PdfiumError, raw

    try:
        opened = PdfDocument(data)
        count = len(opened)
    except PdfiumError as error:
        locked = error.err_code in (raw.FPDF_ERR_PASSWORD, raw.FPDF_ERR_SECURITY)
        raise Unreadable(LOCKED if locked else DAMAGED) from error
    if count > MOST_PAGES:
        raise Unreadable(f"it has {count:,} pages: at most {MOST_PAGES:,} are read")
    return opened


def _pages(opened: PdfDocument) -> Iterator[tuple[PageWords, Rulings]]:
    from pypdfium2 import PdfiumError

    total = 0
    for number in range(len(opened)):
        try:
            page = opened[number]
        except PdfiumError as error:
            raise Unreadable(f"{DAMAGED}: page {number + 1} can't be opened") from error
        found = words_of(page)
        rulings = rulings_of(page)
        page.close()
        total += sum(len(word.text) + 1 for word in found.words)
        if total > MOST_CHARACTERS:
            many = f"the text of its first {number + 1:,} pages has {total:,} characters"
            raise TooLong(f"{many}: at most {MOST_CHARACTERS:,} are read")
        yield found, rulings


class _Writer:
    """Writes pages one after the other; a sentence that goes on over their end stays whole."""

    def __init__(self) -> None:
        self.across: list[int] = []
        self._blocks = Blocks()
        self._last: Paragraph | None = None
        self._notes: list[Paragraph] = []
        self._number = 0

    def page(self, number: int, page: PageWords, pieces: Sequence[TextPiece]) -> None:
        """Write a page; its notes come after the paragraph that goes on from it."""
        usual = median(piece.height for piece in pieces) if pieces else 0.0
        flow: list[Paragraph] = []
        notes: list[Paragraph] = []
        for column in columns(pieces):
            if looks_columnar(column):
                self.across.append(number)
            found = list(paragraphs(column))
            small = _notes(found, usual, page.height / 2)
            flow += found[: len(found) - small]
            notes += found[len(found) - small :]
        if page.turned:
            notes.append(Paragraph([" ".join(page.turned)], indented=True))
        self._write(number, flow)
        self._notes = notes

    def ended(self) -> Blocks:
        """Return the blocks that were written."""
        self._write_notes()
        return self._blocks

    def _write(self, number: int, flow: Sequence[Paragraph]) -> None:
        if not (flow and self._last and self._last.goes_on_in(flow[0])):
            self._write_notes()
        self._number = number
        self._blocks.locate(f"p. {number}")
        for paragraph in flow:
            joined = self._last is not None and self._last.goes_on_in(paragraph)
            self._blocks.add("\n".join(paragraph.lines), joined=joined)
            self._last = paragraph
            if self._notes:
                number_before, self._number = self._number, number - 1
                self._write_notes()
                self._number = number_before
                self._blocks.locate(f"p. {number}")

    def _write_notes(self) -> None:
        if self._notes:
            self._blocks.locate(f"p. {self._number}")
        for note in self._notes:
            self._blocks.add("\n".join(note.lines))
        self._notes = []


def _notes(found: Sequence[Paragraph], usual: float, middle: float) -> int:
    """Return how many paragraphs end a column as notes, in smaller letters than the text."""
    count = 0
    for paragraph in reversed(found):
        small = paragraph.height < _NOTE_HEIGHT * usual and paragraph.base > middle
        if paragraph.is_table or not small:
            break
        count += 1
    return count


def _warnings(pages: Sequence[PageWords], across: Sequence[int]) -> Iterator[str]:
    empty = [number for number, page in enumerate(pages, 1) if not page.words and not page.turned]
    if empty:
        yield f"There is no text on {listed('page', empty)}: pictures are not read."
    if across:
        yield (
            f"On {listed('page', across)} text may have been read across columns:"
            " compare its quotes with the document."
        )
    letters = sum(len(word.text) for page in pages for word in page.words)
    if sum(page.unmapped for page in pages) > _MOST_UNMAPPED * letters:
        yield "Its fonts don't say which letters they show, so its text may be wrong."
