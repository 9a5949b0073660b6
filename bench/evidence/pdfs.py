"""Make PDFs (ISO 32000-1) of plain text, the same bytes each time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

WIDTH, HEIGHT, MARGIN, SIZE, LEADING, GUTTER = 595, 842, 56, 11, 14, 24
"""In points: an A4 page."""

_LINES = 18
"""Of a column: few, so that texts go over pages."""

_MINUS = "\u2212"
_CODE_OF_MINUS = "\\001"


def pdf(text: str, *, columns: int) -> bytes:
    """Set a text in pages of one or more columns, with its first line at the head of each page.

    Lines are drawn from the top of the page to its foot, so that in a file with two columns the
    order of what is drawn is not the order in which it is read.
    """
    head = text.strip().split("\n")[0].strip()
    lines = list(_wrapped(text, 88 if columns == 1 else 40))
    per_page = _LINES * columns
    pages = [lines[first : first + per_page] for first in range(0, len(lines), per_page)]
    drawn = [_page(head, number, page, columns) for number, page in enumerate(pages, start=1)]
    return _file(drawn)


def _wrapped(text: str, width: int) -> Iterator[str]:
    for paragraph in text.strip().split("\n\n"):
        line = ""
        for word in paragraph.split():
            if line and len(line) + 1 + len(word) > width:
                yield line
                line = word
            else:
                line = f"{line} {word}".strip()
        yield line
        yield ""


def _page(head: str, number: int, lines: list[str], columns: int) -> str:
    width = (WIDTH - 2 * MARGIN - (columns - 1) * GUTTER) // columns
    top = HEIGHT - MARGIN
    drawn = [_at(MARGIN, top, head), _at(WIDTH // 2, MARGIN, str(number))]
    for place, line in sorted(enumerate(lines), key=lambda each: each[0] % _LINES):
        column, row = divmod(place, _LINES)
        if line:
            left = MARGIN + column * (width + GUTTER)
            drawn.append(_at(left, top - (row + 3) * LEADING, line))
    return "\n".join(drawn)


def _at(left: int, bottom: int, line: str) -> str:
    shown = line.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
    shown = shown.replace(_MINUS, _CODE_OF_MINUS)
    return f"BT /F1 {SIZE} Tf {left} {bottom} Td ({shown}) Tj ET"


def _file(pages: list[str]) -> bytes:
    places = [4 + 2 * number for number in range(len(pages))]
    kids = " ".join(f"{place} 0 R" for place in places)
    objects = [
        "<</Type/Catalog/Pages 2 0 R>>",
        f"<</Type/Pages/Kids[{kids}]/Count {len(pages)}>>",
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding"
        "<</Type/Encoding/BaseEncoding/WinAnsiEncoding/Differences[1/minus]>>>>",
    ]
    for place, drawn in zip(places, pages, strict=True):
        size = len(drawn.encode("cp1252"))
        objects += [
            f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 {WIDTH} {HEIGHT}]/Contents {place + 1} 0 R"
            "/Resources<</Font<</F1 3 0 R>>>>>>",
            f"<</Length {size}>>stream\n{drawn}\nendstream",
        ]
    return assembled(objects)


def assembled(objects: Sequence[str]) -> bytes:
    """Return the file (ISO 32000-1) that holds these objects, of which the first is the catalog."""
    made, offsets = b"%PDF-1.4\n", []
    for number, each in enumerate(objects, start=1):
        offsets.append(len(made))
        made += f"{number} 0 obj {each} endobj\n".encode("cp1252")
    table = "".join(f"{offset:010} 00000 n \n" for offset in offsets)
    count = len(objects) + 1
    end = f"xref\n0 {count}\n0000000000 65535 f \n{table}trailer<</Size {count}/Root 1 0 R>>\n"
    return made + f"{end}startxref\n{len(made)}\n%%EOF".encode()
