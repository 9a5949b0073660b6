"""Whatever is sent as a document, it becomes text or is refused with a reason."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from openpyxl import Workbook

from countersign.sources.formats import SUFFIXES
from countersign.sources.quarantine import Quarantine
from countersign.sources.reading import Unreadable

PDF = (Path(__file__).parent / "files" / "report.pdf").read_bytes()
SECONDS = 20.0


def workbook() -> bytes:
    book, file = Workbook(), BytesIO()
    book.active["A1"] = "Tides"  # pyright: ignore[reportOptionalSubscript]
    book.save(file)
    return file.getvalue()


def packed(name: str, part: str) -> bytes:
    file = BytesIO()
    with ZipFile(file, "w", ZIP_DEFLATED) as made:
        made.writestr(name, part)
    return file.getvalue()


WHOLE = (
    PDF,
    workbook(),
    packed("word/document.xml", "<w:document><w:body>Tides</w:body></w:document>"),
    packed("content.xml", "<office:text>Tides</office:text>"),
    b"<html><table><tr><td>Tides<td colspan=9>and <p>floods</table>",
    b"Subject: =?utf-8?q?Tides?=\nContent-Type: multipart/mixed; boundary=x\n\n--x\n\nText\n--x--",
    b'a;"b\n";c\n1;2;3\n',
)
NAMES = st.sampled_from([f"file{suffix}" for suffix in SUFFIXES])
CHANGES = st.lists(st.tuples(st.integers(0, 100_000), st.integers(0, 255)), max_size=20)


@pytest.fixture(scope="module")
def quarantine() -> Iterator[Quarantine]:
    with Quarantine(SECONDS) as apart:
        yield apart


def read(quarantine: Quarantine, name: str, data: bytes) -> None:
    with contextlib.suppress(Unreadable):
        document = quarantine.read(name, data)
        assert any(character.isalnum() for character in document.text)
        document.text.encode()


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(NAMES, st.binary(max_size=300))
def test_any_bytes(quarantine: Quarantine, name: str, data: bytes) -> None:
    read(quarantine, name, data)


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(NAMES, st.sampled_from(WHOLE), CHANGES, st.integers(0, 100_000))
def test_a_document_with_bytes_changed_and_its_end_missing(
    quarantine: Quarantine, name: str, whole: bytes, changes: list[tuple[int, int]], end: int
) -> None:
    changed = bytearray(whole)
    for place, byte in changes:
        changed[place % len(changed)] = byte
    read(quarantine, name, bytes(changed[: len(changed) - end % len(changed)]))
