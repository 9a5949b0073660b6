"""What a view of the page consists of, by roles and names, for comparison with what is on file."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Locator

_FOLDER = Path(__file__).parents[2] / "browser" / "structures"
_PART = re.compile(
    r"(?P<indent> *)- (?P<role>banner|main|region|navigation|contentinfo|group|form|list|table"
    r"|tablist|tab|tabpanel|heading|button|link|textbox|searchbox|checkbox|combobox|spinbutton"
    r"|progressbar)\b(?P<name> \"(?:[^\"\\]|\\.)*\")?(?P<level>(?: \[level=\d\])?)"
)
_CHANGING = {
    r"Inbox \d+ waiting for you": "Inbox",
    r"[0-9a-f]{8,}": "ID",
    r"(?:(?:today|yesterday|tomorrow|\w{3},? \d{1,2} \w{3},?) )?\d\d:\d\d(?::\d\d)?": "TIME",
    r"(?:\d+ (?:d|h|min|s) ?)+left": "LEFT",
}
_MOST_LOOKS = 300
_PAUSE_MILLISECONDS = 100


def structure_of(part: Locator) -> str:
    """Return one line for each landmark, heading and control, indented as they are nested.

    Neither text nor states are in it, and what differs each time is replaced.
    """
    found = filter(None, map(_PART.match, part.aria_snapshot().splitlines()))
    lines = (each["indent"] + each["role"] + (each["name"] or "") + each["level"] for each in found)
    said = "\n".join(lines)
    for pattern, word in _CHANGING.items():
        said = re.sub(pattern, word, said)
    return f"{said}\n"


def expect_structure(name: str, part: Locator) -> None:
    """Wait until a view has the structure in the file of that name.

    Raises:
        AssertionError: it comes to another one. Where that is meant, delete the file and run the
            test twice: it is written when it is missing.
    """
    file = _FOLDER / f"{name}.txt"
    if not file.exists():
        part.page.wait_for_load_state("networkidle")
        file.write_text(structure_of(part), "utf-8")
        raise AssertionError(f"{file} was missing and is written now: look at it")
    expected = file.read_text("utf-8")
    for _ in range(_MOST_LOOKS):
        if structure_of(part) == expected:
            return
        part.page.wait_for_timeout(_PAUSE_MILLISECONDS)
    assert structure_of(part) == expected, f"not the structure in {file}"
