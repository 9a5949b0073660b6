"""Do what a reviewer's comment asks for, as far as choosing among quotes can do it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from countersign.sources.terms import terms
from countersign.team.extractive.statements import Statement

_SHORTER = re.compile(r"\b(?:short(?:er|en)?|brief(?:er)?|concise|condense|trim|too long)\b", re.I)
_WITHOUT = re.compile(
    r"\b(?:remove|drop|delete|omit|exclude|leave out|take out|without)\b(?P<what>[^.;!]*)", re.I
)
_FIRST = re.compile(
    r"\b(?:focus(?:ing)? (?:more )?on|more (?:on|about)|concentrate on|start with|begin with"
    r"|emphasi[sz]e|highlight)\b(?P<what>[^.;!]*)",
    re.I,
)
_SEPARATE = re.compile(r",|\band\b|\bor\b", re.I)

# Words for the parts of a report, not for what it is about.
_LAYOUT = frozenset(
    terms("section part paragraph claim sentence quote point statement report text")
)
_LONGEST_COMMENT = 200


@dataclass(frozen=True, kw_only=True, slots=True)
class Revision:
    """The statements to write, in order, and how the comment was taken."""

    statements: Sequence[Statement]
    note: str


def revised(statements: Sequence[Statement], comment: str) -> Revision:
    """Leave out, put first or shorten as the comment asks, and say what was done.

    Whatever else a comment asks for can't be done with quotes alone, and the note says so.
    """
    notes: list[str] = []
    kept = list(statements)
    for take in (_without, _first, _shorter):
        kept = take(kept, comment, notes)
    return Revision(statements=kept, note=" ".join(notes) or _untouched(comment))


def _without(statements: list[Statement], comment: str, notes: list[str]) -> list[Statement]:
    unwanted = _phrases(_WITHOUT, comment)
    kept = [statement for statement in statements if not statement.is_about(unwanted)]
    if not unwanted:
        return statements
    if not kept:
        notes.append("Nothing was left out, as nothing would remain.")
        return statements
    left_out = len(statements) - len(kept)
    notes.append(f"Left out as the reviewer asked: {_counted(left_out)}.")
    return kept


def _first(statements: list[Statement], comment: str, notes: list[str]) -> list[Statement]:
    wanted = _phrases(_FIRST, comment)
    if not wanted:
        return statements
    about = {statement.subtopic for statement in statements if statement.is_about(wanted)}
    if not about:
        notes.append("The sources have no supported statement on what the reviewer asked for.")
        return statements
    notes.append("What the reviewer asked for comes first.")
    return sorted(
        statements,
        key=lambda each: (each.subtopic not in about, not each.is_about(wanted)),
    )


def _shorter(statements: list[Statement], comment: str, notes: list[str]) -> list[Statement]:
    if not _SHORTER.search(comment):
        return statements
    kept = _half_of_each_subtopic(statements)
    left_out = len(statements) - len(kept)
    notes.append(f"Shortened as the reviewer asked: {_counted(left_out)} left out.")
    return kept


def _half_of_each_subtopic(statements: Sequence[Statement]) -> list[Statement]:
    whole = Counter(statement.subtopic for statement in statements)
    taken: Counter[str] = Counter()
    kept: list[Statement] = []
    for statement in statements:
        taken[statement.subtopic] += 1
        if 2 * taken[statement.subtopic] <= whole[statement.subtopic] + 1:
            kept.append(statement)
    return kept


def _phrases(pattern: re.Pattern[str], comment: str) -> list[frozenset[str]]:
    named = (
        frozenset(terms(phrase)) - _LAYOUT
        for match in pattern.finditer(comment)
        for phrase in _SEPARATE.split(match["what"])
    )
    return [phrase for phrase in named if phrase]


def _counted(number: int) -> str:
    return "1 statement" if number == 1 else f"{number} statements"


def _untouched(comment: str) -> str:
    shown = " ".join(comment.split())[:_LONGEST_COMMENT]
    return (
        f"The reviewer's comment \u201c{shown}\u201d can't be met by selecting and quoting "
        "sentences alone, so the statements are as they were."
    )
