"""Whether what a reviewer comments on stands in the version that the comment is about."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping, Sequence

from countersign.platform.visible import without_blanks
from countersign.reports.comments import PassageComment

_TAG = re.compile(r'<[^">]*(?:"[^"]*"[^">]*)*>')
_SHOWN_SIGN = re.compile(r"⟨U\+[0-9A-F]{4,6}⟩")
"""How the page shows a character that could not be seen."""

REASON = "this version does not contain these words"


def misquoted(
    comments: Sequence[PassageComment], title: str, text: str, shown: str
) -> Mapping[str, str]:
    """Return the fields of the comments whose passage is not in a report, each with the reason.

    Blanks and what can't be seen make no difference: a browser's selection has others.

    Args:
        comments: those of one decision.
        title: the report's.
        text: what is published, in Markdown.
        shown: the same as HTML, as its readers see it.
    """
    read = html.unescape(_TAG.sub("", shown))
    places = [_words(f"{title}{each}") for each in (read, text)]
    return {
        f"comments.{number}.quote": REASON
        for number, comment in enumerate(comments)
        if not any(_words(comment.quote) in place for place in places)
    }


def _words(text: str) -> str:
    return without_blanks(_SHOWN_SIGN.sub("", text))
