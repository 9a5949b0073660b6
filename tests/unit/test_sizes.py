"""A file is read in one sitting, and a function on one screen."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
PRODUCT = ("activities", "countersign", "devhost", "endpoints", "local", "orchestrators")
ROOMS = (
    *("activities", "bench", "countersign", "devhost", "endpoints", "local", "orchestrators"),
    *("samples", "tests"),
)
MOST_LINES_OF_A_FILE = 400
MOST_LINES_OF_A_FUNCTION = 50
MOST_LINES_OF_HALF, MOST_LINES_OF_NINE_TENTHS = 6, 18


@pytest.fixture(scope="module")
def sources() -> dict[str, str]:
    """The text of each file, by its path."""
    files = (file for room in ROOMS for file in sorted((ROOT / room).rglob("*.py")))
    return {file.relative_to(ROOT).as_posix(): file.read_text("utf-8") for file in files}


def functions(text: str) -> Iterator[tuple[str, int]]:
    """Each function of a file, with its number of lines."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name, (node.end_lineno or 0) - node.lineno + 1


def test_no_file_is_longer_than_400_lines(sources: dict[str, str]) -> None:
    assert len(sources) > 500
    lines = {path: len(text.splitlines()) for path, text in sources.items()}
    assert {path: long for path, long in lines.items() if long > MOST_LINES_OF_A_FILE} == {}


def test_no_function_is_longer_than_50_lines(sources: dict[str, str]) -> None:
    long = {
        f"{path}: {name}": lines
        for path, text in sources.items()
        for name, lines in functions(text)
        if lines > MOST_LINES_OF_A_FUNCTION
    }
    assert long == {}


def test_most_functions_are_short(sources: dict[str, str]) -> None:
    product = (text for path, text in sources.items() if path.startswith(PRODUCT))
    lines = sorted(lines for text in product for _, lines in functions(text))
    assert lines[len(lines) // 2] <= MOST_LINES_OF_HALF
    assert lines[len(lines) * 9 // 10] <= MOST_LINES_OF_NINE_TENTHS
