"""No file of the library stops a report: what can't be read is left out, and named everywhere."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

TOPIC = "Tidal mills"
MILLS = "Tidal mills grind grain with the ebb. A tidal mill stores the flood behind a gate."


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    library = tmp_path / "library"
    library.mkdir()
    (library / "mills.txt").write_text(MILLS)
    (library / "broken.pdf").write_bytes(b"%PDF-1.4\nnothing")
    (library / "broken.docx").write_bytes(b"PK\x03\x04nothing")
    (library / "nested.html").write_text("<div>" * 10_000 + MILLS)
    (library / "unclosed.html").write_text(f"<p>{MILLS}" * 1_000)
    with (library / "huge.txt").open("wb") as huge:
        huge.truncate(6_000_000_000)
    return library


def test_odd_files_are_left_out_and_named_and_the_report_is_made(
    make_host: Callable[..., Any], desk_at: Callable[[Any], Any], folder: Path
) -> None:
    if sys.platform == "linux":  # other systems refuse such names
        (folder / os.fsdecode(b"na\xff\xfeme.pdf")).write_bytes(b"%PDF-1.4\nnothing")
    desk = desk_at(make_host(COUNTERSIGN_LIBRARY=str(folder)).start())
    operation = desk.ask(TOPIC)
    desk.until_version(operation)
    shown = desk.host.call("GET", f"operations/{operation}/proposals/1", desk.reviewer).json()
    cited = {source["id"] for source in shown["evidence"]["sources"]}
    assert cited <= {"mills.txt", "nested.html", "unclosed.html"}
    odd = {"broken.pdf", "broken.docx", "huge.txt"}
    odd |= {"na\ufffd\ufffdme.pdf"} if sys.platform == "linux" else set()
    assert {line.partition(": ")[0] for line in shown["evidence"]["unread"]} == odd
    for path in ("sources", "documents"):
        left_out = desk.host.call("GET", path, desk.requester).json()["left_out"]
        assert {each["name"] for each in left_out} == odd
        assert all(each["reason"] for each in left_out)
    log = desk.host.log.read_text("utf-8")
    assert all(f"the document {name!r} is left out" in log for name in odd)
