"""The small apps that the genuine library and devhost both judge, and what is expected of them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

Version = tuple[int, int]

_FOLDER = Path(__file__).parent / "apps"
_HEADING = re.compile(r"^#### (.+?) -> (.+?)(?: \(up to 3\.(\d+) (.+)\))?\n", re.MULTILINE)
_BEGINNING = """\
import collections.abc, dataclasses, functools, types, typing
import typing_extensions
import azure.durable_functions as df
import azure.functions as func

T = typing.TypeVar("T")
app = df.DFApp(http_auth_level=func.AuthLevel.ANONYMOUS)
"""


@dataclass(frozen=True, slots=True)
class SmallApp:
    """An app of a few lines.

    Attributes:
        title: What is special about it.
        source: Its `function_app.py`.
        usual: `loads`, or `refused: ` and a part of what it is refused with.
        early: The same up to the Python `last_early`, if it was different there.
    """

    title: str
    source: str
    usual: str
    early: str
    last_early: Version

    def expected(self, python: Version) -> str:
        """Return what the worker of a version of Python does with it, as in `usual`."""
        return self.early if python <= self.last_early else self.usual


def small_apps() -> list[SmallApp]:
    """Return all apps of the corpus."""
    return [app for path in sorted(_FOLDER.glob("*.txt")) for app in _read(path.read_text("utf-8"))]


def _read(text: str) -> list[SmallApp]:
    _, *parts = _HEADING.split(text)
    apps = zip(*(parts[number::5] for number in range(5)), strict=True)
    return [
        SmallApp(title, _BEGINNING + source, usual, early or usual, (3, int(last or 0)))
        for title, usual, last, early, source in apps
    ]
