"""How a question is put: passages as plain text between marks, all else as one JSON object.

Text that is to be copied word for word stands as it is, for models copy escapes too. It can't pass
for anything else: what looks like a mark in it is changed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, cast

_LOOKS_LIKE_A_MARK = re.compile(r"<(?=\s*/?\s*passage\b)", re.IGNORECASE)
_MARK = "\u2039"
_PASSAGE = re.compile(
    r'<passage source="(?P<source>[^"]*)" title="(?P<title>[^"]*)">\n(?P<text>.*?)\n</passage>\n\n',
    re.DOTALL,
)


class Shown(NamedTuple):
    """A passage as a question shows it."""

    source: str
    title: str
    text: str


def question(asked: Mapping[str, object], passages: Sequence[Shown] = ()) -> str:
    """Return the text of a question: the passages, and then what is asked, as one JSON object."""
    shown = (
        f'<passage source="{_attribute(each.source)}" title="{_attribute(each.title)}">\n'
        f"{_LOOKS_LIKE_A_MARK.sub(_MARK, each.text)}\n</passage>\n\n"
        for each in passages
    )
    return "".join(shown) + json.dumps(asked, ensure_ascii=False, indent=1)


def read(text: str) -> tuple[Mapping[str, Any], list[Shown]]:
    """Return what a question asks and shows; empty if it is not of this kind.

    What follows the object is passed over.
    """
    passages, end = list[Shown](), 0
    while found := _PASSAGE.match(text, end):
        passages.append(Shown(**found.groupdict()))
        end = found.end()
    try:
        asked, _ = json.JSONDecoder().raw_decode(text, end)
    except ValueError:
        return dict[str, Any](), passages
    known = cast("dict[str, Any]", asked) if isinstance(asked, dict) else dict[str, Any]()
    return known, passages


def _attribute(text: str) -> str:
    return text.replace('"', "'").replace("<", _MARK).replace("\n", " ")
