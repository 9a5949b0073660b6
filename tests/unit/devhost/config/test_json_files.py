from __future__ import annotations

from pathlib import Path

import pytest

from devhost.config.json_files import read_object
from devhost.errors import UsageError

COMMENTED = """\
\ufeff{
  // What it is: "not this"
  "a": "// no comment, /* nor this */ \\" // not here",
  /* several
     lines */
  "b": [1, 2, /* last */ ], // and a comma
  "c": ",]",
}
"""


def test_comments_and_last_commas_are_passed_over(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(COMMENTED, "utf-8")
    read = read_object(tmp_path / "a.json")
    assert read == {"a": '// no comment, /* nor this */ " // not here', "b": [1, 2], "c": ",]"}


def test_a_fault_is_told_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('/*\n*/\n// x\n{"a": oops}')
    with pytest.raises(UsageError, match=r"a\.json is not JSON.*line 4"):
        read_object(tmp_path / "a.json")


@pytest.mark.parametrize("text", ["", "[]", "{", '{"a": 1 /* for ever', '{"a": "}'])
def test_what_is_no_object_is_told(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.json").write_text(text)
    with pytest.raises(UsageError, match=r"a\.json"):
        read_object(tmp_path / "a.json")


def test_a_file_that_is_missing_says_nothing(tmp_path: Path) -> None:
    assert read_object(tmp_path / "a.json") == {}
