"""Files that people send are read in a process of their own, or refused with the reason."""

from __future__ import annotations

import asyncio
import subprocess
import tracemalloc
from collections.abc import Callable
from io import BytesIO
from zipfile import ZIP_LZMA
from zlib import crc32

import pytest
from pypdf import PdfReader, PdfWriter

from countersign.sources import formats, packed, quarantine, uploads
from countersign.sources import pdf as portable
from countersign.sources.docx import CONTENTS
from countersign.sources.formats import read_file
from countersign.sources.locators import located
from countersign.sources.quarantine import MOST_AT_ONCE, ReadersBusy, read_apart
from countersign.sources.reading import TooLong, Unreadable

Maker = Callable[..., bytes]

PARAGRAPH = "<w:p><w:r><w:t>{}</w:t></w:r></w:p>"
HEADING = '<w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:r><w:t>{}</w:t></w:r></w:p>'


async def refusal(name: str, data: bytes, seconds: float = quarantine.LONGEST_SECONDS) -> str:
    with pytest.raises(Unreadable) as refused:
        await read_apart(name, data, seconds=seconds)
    return str(refused.value)


async def test_the_pages_of_a_pdf_are_read_in_order(pdf: Maker) -> None:
    document = await read_apart("My notes.PDF", pdf("Every retry needs a limit.", "And a key."))
    assert document.title == "My notes"
    assert document.text == "Every retry needs a limit.\n\nAnd a key."


async def test_a_pdf_is_called_what_it_calls_itself(pdf: Maker) -> None:
    data = changed(
        pdf("Some text."), lambda writer: writer.add_metadata({"/Title": "On <Retries>"})
    )
    assert (await read_apart("a.pdf", data)).title == "On <Retries>"


async def test_a_pdf_that_asks_for_a_password_is_refused(pdf: Maker) -> None:
    data = changed(pdf("Some text."), lambda writer: writer.encrypt("secret"))
    assert await refusal("a.pdf", data) == portable.LOCKED


async def test_a_pdf_that_only_forbids_changes_is_read(pdf: Maker) -> None:
    data = changed(
        pdf("Some text."), lambda writer: writer.encrypt("", "secret", algorithm="AES-256")
    )
    assert (await read_apart("a.pdf", data)).text == "Some text."


async def test_a_pdf_of_pictures_is_said_to_be_one(pdf: Maker) -> None:
    assert await refusal("scan.pdf", pdf("", "")) == portable.PICTURES


async def test_a_pdf_with_too_many_pages_is_refused(pdf: Maker) -> None:
    assert "2,001 pages" in await refusal("a.pdf", pdf(*["x"] * (portable.MOST_PAGES + 1)))


def test_a_long_pdf_is_not_read_further_than_its_text_may_go(
    pdf: Maker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(portable, "MOST_CHARACTERS", 100_000)
    with pytest.raises(TooLong, match="first 5 pages"):
        read_file("a.pdf", pdf(*["word " * 5_000] * 40))


@pytest.mark.parametrize("kept", [0, 5, 300, 600])
async def test_a_damaged_pdf_is_refused(pdf: Maker, kept: int) -> None:
    refused = await refusal("a.pdf", pdf("Some text.", "More of it.")[:kept])
    assert refused in {portable.DAMAGED, quarantine.DAMAGED, portable.PICTURES}


async def test_a_word_document_is_read_as_the_text_it_shows(docx: Maker) -> None:
    body = HEADING.format("On retries") + PARAGRAPH.format("Every retry needs a limit &amp; a key.")
    document = await read_apart("n.docx", docx(body))
    assert document.text == "On retries\n\nEvery retry needs a limit & a key."
    assert located(document.locators, document.text, 15, 20) == "section \u201cOn retries\u201d"


async def test_a_word_document_that_would_fill_the_memory_is_not_unpacked(docx: Maker) -> None:
    bomb = docx(PARAGRAPH.format("a"), bomb=b"0" * (packed.MOST_UNPACKED_BYTES + 1))
    assert len(bomb) < 100_000
    assert "unpacked it has" in await refusal("n.docx", bomb)


@pytest.mark.parametrize("said", [100, 0])
async def test_a_word_document_that_lies_about_its_size_is_not_unpacked(
    docx: Maker, said: int
) -> None:
    size = 3 * packed.MOST_UNPACKED_BYTES
    bomb = docx(PARAGRAPH.format("a"), bomb=b"0" * size)
    honest, lie = size.to_bytes(4, "little"), said.to_bytes(4, "little")
    # The sums of the shorter text are right too, so only its length gives the lie away.
    right, wrong = (crc32(b"0" * each).to_bytes(4, "little") for each in (size, said))
    tracemalloc.start()
    with pytest.raises(Unreadable, match=packed.DAMAGED):
        packed.unpacked(bomb.replace(honest, lie).replace(right, wrong), CONTENTS)
    assert tracemalloc.get_traced_memory()[1] < 10_000_000
    tracemalloc.stop()


async def test_a_word_document_packed_without_a_limit_is_refused(docx: Maker) -> None:
    assert await refusal("n.docx", docx("", ZIP_LZMA)) == packed.DAMAGED


async def test_an_older_or_locked_word_document_is_refused() -> None:
    compound = bytes.fromhex("d0cf11e0a1b11ae1") + b"\0" * 504
    assert await refusal("n.docx", compound) == packed.LOCKED


@pytest.mark.parametrize(
    "body",
    [
        "<w:p>",  # cut off
        "&undefined;",
        "<w:p>" * 20_000 + "</w:p>" * 20_000,  # nested deeper than any reader goes
    ],
)
async def test_a_damaged_word_document_is_refused(docx: Maker, body: str) -> None:
    assert await refusal("n.docx", docx(body)) == quarantine.DAMAGED


async def test_what_is_no_zip_is_no_word_document() -> None:
    assert await refusal("n.docx", b"PK\x03\x04 and so on") == packed.DAMAGED


@pytest.mark.parametrize(
    ("name", "data", "title", "text"),
    [
        ("a.md", b"# Bees\n\nBees *dance*.", "Bees", "Bees\n\nBees dance."),
        (
            "a.HTML",
            b"<head><title>Bees</title></head><p>Bees<br>dance.<script>x</script>",
            "Bees",
            "Bees\ndance.",
        ),
        ("a.htm", b"<p>Bees dance.", "a", "Bees dance."),
        ("a b.txt", "Gr\u00fc\u00dfe".encode("utf-16"), "a b", "Gr\u00fc\u00dfe"),
        ("\u200d.txt", b"Bees dance.", "Document", "Bees dance."),  # a name that nobody sees
        ("a.html", b"<title>\xe2\x80\xae</title>Bees &#xD800;dance.", "a", "Bees \ufffddance."),
    ],
)
def test_texts_are_read_as_the_library_reads_them(
    name: str, data: bytes, title: str, text: str
) -> None:
    document = read_file(name, data)
    assert (document.title, document.text) == (title, text)


@pytest.mark.parametrize("data", [b"", b" \n", b"... ---"])
def test_a_file_that_says_nothing_is_refused(data: bytes) -> None:
    with pytest.raises(Unreadable, match=formats.EMPTY):
        read_file("a.txt", data)


async def test_a_text_too_long_to_be_taken_whole_is_not_cut() -> None:
    with pytest.raises(TooLong, match="1,000,002 characters"):
        await read_apart("a.txt", b"ab" * (uploads.MOST_CHARACTERS // 2 + 1))


async def test_reading_ends_when_its_time_is_over() -> None:
    with pytest.raises(Unreadable, match="too long"):
        await read_apart("a.html", b"<div>" * 4_000_000, seconds=2)


async def test_a_file_whose_turn_does_not_come_is_sent_away_and_holds_nobody_up() -> None:
    slow = b"<div>" * 4_000_000
    others = [
        asyncio.create_task(refusal("slow.html", slow, seconds=2)) for _ in range(MOST_AT_ONCE)
    ]
    await asyncio.sleep(0)
    with pytest.raises(ReadersBusy):
        await read_apart("a.txt", b"Bees dance.", turn_seconds=0.1)
    assert set(await asyncio.gather(*others)) == {quarantine.TOO_SLOW}
    assert (await read_apart("a.txt", b"Bees dance.")).text == "Bees dance."


async def test_the_files_of_one_person_take_turns_and_leave_room_for_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begun: list[subprocess.Popen[bytes]] = []
    begin = quarantine._begun
    monkeypatch.setattr(quarantine, "_begun", lambda: begun.append(begin()) or begun[-1])
    slow = b"![[" * 1_000_000
    first, *others = (
        asyncio.create_task(read_apart(f"{n}.md", slow, seconds=600, person="Ada"))
        for n in range(3)
    )
    await asyncio.sleep(0)
    document = await read_apart("a.txt", b"Bees dance.", turn_seconds=60, person="Bob")
    assert document.text == "Bees dance."
    refused = await asyncio.gather(*others, return_exceptions=True)
    assert [type(each) for each in refused] == [ReadersBusy, ReadersBusy]
    assert not first.done()
    [reading] = [each for each in begun if each.poll() is None]
    reading.kill()
    with pytest.raises(Unreadable):
        await first
    await read_apart("a.txt", b"Bees dance.", turn_seconds=60, person="Ada")


def changed(data: bytes, change: Callable[[PdfWriter], object]) -> bytes:
    writer = PdfWriter(clone_from=PdfReader(BytesIO(data)))
    change(writer)
    file = BytesIO()
    writer.write(file)
    return file.getvalue()
