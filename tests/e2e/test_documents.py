"""Documents that a requester brings along, read by the running app."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pytest

from countersign.sources.formats import SUFFIXES

Maker = Callable[..., bytes]

TEXT = "Tidal mills grind grain with the ebb. A tidal mill stores the flood behind a gate."


def send(
    desk: Any, name: str, data: bytes, token: str | None = None, **more: str
) -> httpx.Response:
    headers = {"X-File-Name": quote(name), "Content-Type": "application/octet-stream", **more}
    return desk.host.call(
        "POST", "documents", token or desk.requester, content=data, headers=headers
    )


def test_the_limits_are_told_before_anything_is_sent(desk: Any) -> None:
    limits = desk.host.call("GET", "documents", desk.requester).json()
    assert limits == {
        "suffixes": list(SUFFIXES),
        "most_bytes": 20_000_000,
        "most_documents": 50,
        "most_characters": 1_000_000,
        "most_request_bytes": 8_000_000,
        "left_out": [],
    }


@pytest.mark.parametrize("kind", ["pdf", "docx"])
def test_a_document_is_read_and_a_report_quotes_it(
    desk: Any, pdf: Maker, docx: Maker, kind: str
) -> None:
    paragraph = f"<w:p><w:r><w:t>{TEXT}</w:t></w:r></w:p>"
    data = pdf(TEXT) if kind == "pdf" else docx(paragraph)
    read = send(desk, f"M\u00fchlen & mills.{kind}", data)
    assert read.status_code == 200, read.text
    document = read.json()
    assert document == {
        "title": "M\u00fchlen & mills",
        "text": TEXT,
        "characters": len(TEXT),
        "locators": [{"start": 0, "label": "p. 1", "first_row": None}] if kind == "pdf" else [],
        "warnings": [],
    }
    chosen = {name: document[name] for name in ("title", "text", "locators")}
    operation = desk.ask("Tidal mills", documents=[chosen])
    desk.until_version(operation)
    shown = desk.host.call("GET", f"operations/{operation}/proposals/1", desk.reviewer).json()
    assert [each["title"] for each in shown["evidence"]["sources"]] == ["M\u00fchlen & mills"]
    places = {each["passage"]["where"] for each in shown["evidence"]["claims"]}
    assert places == ({"p. 1"} if kind == "pdf" else {""})


def test_a_text_of_the_longest_kind_is_read_whole(desk: Any) -> None:
    read = send(desk, "long.txt", b"ab " * 333_333)
    assert read.json()["characters"] == 999_999


@pytest.mark.parametrize(
    ("name", "size", "status", "code"),
    [
        ("a.xls", 1, 415, "unsupported_type"),
        ("a", 1, 415, "unsupported_type"),
        ("folder.pdf/a.exe", 1, 415, "unsupported_type"),
        ("", 1, 422, "malformed"),
        ("a.pdf", 1, 422, "unreadable"),
        ("a.txt", 0, 422, "unreadable"),
        ("a.txt", 1_000_001, 413, "too_large"),
        ("a.txt", 20_000_001, 413, "too_large"),
    ],
)
def test_what_can_not_be_read_is_refused_with_a_sentence(
    desk: Any, name: str, size: int, status: int, code: str
) -> None:
    refused = send(desk, name, b"a" * size)
    assert (refused.status_code, refused.json()["code"]) == (status, code)
    assert refused.json()["detail"].endswith(".")


def test_a_name_that_is_no_text_is_refused(desk: Any) -> None:
    refused = send(desk, "a.txt", b"a", **{"X-File-Name": "%ff.txt"})
    assert (refused.status_code, refused.json()["code"]) == (422, "malformed")


def test_only_requesters_have_documents_read(desk: Any) -> None:
    assert send(desk, "a.txt", b"a", desk.reviewer).json()["code"] == "not_authorised"
    assert desk.host.call("GET", "documents", desk.reviewer).status_code == 403
    assert desk.host.call("GET", "documents").status_code == 401


def kept_in(file: Path) -> bytes:
    """What a file holds; nothing if it is a folder, or went meanwhile as some of SQLite's do."""
    try:
        return file.read_bytes()
    except (FileNotFoundError, IsADirectoryError):
        return b""


def test_nothing_of_a_document_is_kept(desk: Any) -> None:
    secret = b"The word is xylographer and nobody stores it."
    assert send(desk, "secret.txt", secret).status_code == 200
    held = [content for file in desk.host.data.rglob("*") if (content := kept_in(file))]
    assert held
    assert not [content for content in held if b"xylographer" in content]
