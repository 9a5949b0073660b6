"""The documents: what is sent of each, and its text as a person reads it.

The text is had without the product's own reading, so that quotes can be judged by it.
"""

from __future__ import annotations

import csv
import re
from functools import cache
from html import unescape
from pathlib import Path

from bench.evidence.pdfs import pdf

FOLDER = Path(__file__).parent / "corpus"

ONE_COLUMN, TWO_COLUMNS = 1, 2
SENT_AS_PDF = {
    "battery-study.txt": ONE_COLUMN,
    "flood-report.txt": TWO_COLUMNS,
    "moor.txt": ONE_COLUMN,
    "velo.txt": TWO_COLUMNS,
}
"""Columns of the documents that are sent as a PDF."""

_TAG = re.compile(r"<[^>]+>")
_NOT_SHOWN = re.compile(r"<(?:head|style|script)\b.*?</(?:head|style|script)>", re.DOTALL)
_RULE = re.compile(r"^\|[-| ]+\|$", re.MULTILINE)
_MARKS = re.compile(r"^(?:#+ |- )|[|*]", re.MULTILINE)


def documents() -> list[str]:
    """Return the names of all documents, in the order in which they are sent."""
    return sorted(file.name for file in FOLDER.iterdir())


def sent(name: str) -> tuple[str, bytes]:
    """Return the name and the bytes with which a document is sent."""
    file = FOLDER / name
    if columns := SENT_AS_PDF.get(name):
        return f"{file.stem}.pdf", pdf(file.read_text("utf-8"), columns=columns)
    return name, file.read_bytes()


@cache
def text_of(name: str) -> str:
    """Return the text that a person reads in a document, with a space between cells of a row."""
    text = (FOLDER / name).read_text("utf-8")
    match Path(name).suffix:
        case ".html":
            return unescape(_TAG.sub(" ", _NOT_SHOWN.sub(" ", text)))
        case ".md":
            return _MARKS.sub(" ", _RULE.sub(" ", text))
        case ".csv":
            mark = ";" if ";" in text.partition("\n")[0] else ","
            return "\n".join(" ".join(row) for row in csv.reader(text.splitlines(), delimiter=mark))
        case _:
            return text
