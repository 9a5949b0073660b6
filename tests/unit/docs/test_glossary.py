"""The glossary is short, and its words are those of the code and of what people read."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from testbed.written import ROOT, documents

ROWS = re.findall(r"^\| \*\*(.+?)\*\* \| `(\w+)` \|", documents()["docs/glossary.md"], re.MULTILINE)
CODE = ("countersign", "endpoints", "orchestrators", "activities")


@cache
def code() -> str:
    """All Python of the app."""
    files = [file for folder in CODE for file in (ROOT / folder).rglob("*.py")]
    return "\n".join(file.read_text("utf-8") for file in map(Path, files))


def test_the_glossary_is_short() -> None:
    assert 15 <= len(ROWS) <= 25


@pytest.mark.parametrize(("term", "name"), ROWS)
def test_a_term_is_a_name_in_the_code(term: str, name: str) -> None:
    assert len(re.findall(rf"\b{name}\b", code())) > 1, term


@pytest.mark.parametrize("term", [term for term, _ in ROWS])
def test_a_term_is_a_word_of_the_documents(term: str) -> None:
    others = " ".join(text for name, text in documents().items() if "glossary" not in name)
    assert re.search(rf"\b{term}", others, re.IGNORECASE)
