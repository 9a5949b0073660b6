"""Do what a reviewer's comment asks for, as far as choosing among quotes can do it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from countersign.sources.terms import terms
from countersign.team.extractive.statements import Statement
from countersign.team.models import RemarkAnswer, Wanted
from countersign.team.wish import PassageRemark, Wish

_SHORTER = re.compile(r"\b(?:short(?:er|en)?|brief(?:er)?|concise|condense|trim|too long)\b", re.I)
_WITHOUT = re.compile(
    r"\b(?:remove|drop|delete|omit|exclude|leave out|take out|without)\b(?P<what>[^.;!]*)", re.I
)
_FIRST = re.compile(
    r"\b(?:focus(?:ing)? (?:more )?on|more (?:on|about)|concentrate on|start with|begin with"
    r"|emphasi[sz]e|highlight)\b(?P<what>[^.;!]*)",
    re.I,
)
_LONGER = re.compile(r"\b(?:longer|more details?|expand|too short|everything)\b", re.I)
_SEPARATE = re.compile(r",|\band\b|\bor\b", re.I)

# Words for the parts of a report, not for what it is about.
_LAYOUT = frozenset(
    terms("section part paragraph claim sentence quote point statement report text")
)
_LONGEST_COMMENT = 200
_REWORDED = "Sentences are quoted as their sources have them, so this can't be put in other words."

Phrases = Sequence[frozenset[str]]


@dataclass(frozen=True, kw_only=True, slots=True)
class Revision:
    """The statements to write, in order, and how the comment and each remark was taken."""

    statements: Sequence[Statement]
    note: str
    answers: Sequence[RemarkAnswer] = ()


def revised(statements: Sequence[Statement], wish: Wish) -> Revision:
    """Add, leave out, put first or shorten as the reviewer asks, and say what was done.

    Whatever else is asked for can't be done with quotes alone, and the note or answer says so.

    Args:
        statements: All that is supported, in order.
        wish: What is asked for; what the text before left out stays out unless that is.
    """
    reviser = _Reviser(statements, wish.previous)
    note = reviser.heed(wish.comment) if wish.comment else ""
    answers = [reviser.answer(*item) for item in enumerate(wish.remarks, start=1)]
    return Revision(statements=reviser.kept, note=note, answers=answers)


def wanted(claims: Sequence[str], comment: str) -> Wanted:
    """Say what a comment wants more on that no claim is about, so that it is looked up.

    Args:
        claims: What is proved so far.
        comment: The reviewer's words.
    """
    known = [frozenset(terms(claim)) for claim in claims]
    asked = [each.strip(" ,.!?") for found in _FIRST.finditer(comment) for each in _parts(found)]
    missing = [each for each in asked if _named(each) and not _is_known(_named(each), known)]
    subtopic = missing[0][:1].upper() + missing[0][1:] if missing else ""
    return Wanted(subtopic=subtopic, look_up=missing)


class _Reviser:
    def __init__(self, statements: Sequence[Statement], previous: str) -> None:
        self._all = list(statements)
        self.kept = [each for each in statements if each.is_in(previous)] or self._all
        self.notes: list[str] = []

    def heed(self, comment: str) -> str:
        """Do what a comment asks for, and say what was done."""
        self.notes = []
        self.restore(all_of_it=bool(_LONGER.search(comment)))
        self.leave_out(_phrases(_WITHOUT, comment))
        self.put_first(_phrases(_FIRST, comment))
        if _SHORTER.search(comment):
            self.shorten()
        return " ".join(self.notes) or _untouched(comment)

    def answer(self, number: int, remark: PassageRemark) -> RemarkAnswer:
        """Do what a remark asks for; to leave something out means the passage, if nothing else."""
        before = self.kept
        if remark.instead:
            reason = _REWORDED
        elif remark.instead == "" or _leaves_the_passage_out(remark.comment):
            reason = self.leave_out_passage(remark.passage)
        else:
            reason = self.heed(remark.comment)
        return RemarkAnswer(remark=number, done=self.kept != before, reason=reason)

    def leave_out_passage(self, passage: str) -> str:
        kept = [each for each in self.kept if not each.shares(passage)]
        left_out = len(self.kept) - len(kept)
        if not left_out:
            return "This passage contains no statement."
        if not kept:
            return "Nothing was left out, as nothing would remain."
        self.kept = kept
        return f"{_counted(left_out)} left out."

    def restore(self, *, all_of_it: bool) -> None:
        if all_of_it:
            added = len(self._all) - len(self.kept)
            self.kept = self._all
            self.notes.append(
                f"{_counted(added)} added as the reviewer asked."
                if added
                else "There is no more to add: no other statement was gathered and supported."
            )

    def leave_out(self, unwanted: Phrases) -> None:
        if not unwanted:
            return
        kept = [statement for statement in self.kept if not statement.is_about(unwanted)]
        left_out = len(self.kept) - len(kept)
        if not kept:
            self.notes.append("Nothing was left out, as nothing would remain.")
        elif not left_out:
            self.notes.append("No statement is on what the reviewer wanted left out.")
        else:
            self.kept = kept
            self.notes.append(f"{_counted(left_out)} left out as the reviewer asked.")

    def put_first(self, wanted: Phrases) -> None:
        if not wanted:
            return
        about = {each.subtopic for each in self._all if each.is_about(wanted)}
        if not about:
            self.notes.append(
                "Among the statements gathered for this report none is on what was asked for."
            )
            return
        with_wanted = [each for each in self._all if each in self.kept or each.is_about(wanted)]
        self.kept = sorted(
            with_wanted, key=lambda each: (each.subtopic not in about, not each.is_about(wanted))
        )
        self.notes.append("What the reviewer asked for comes first.")

    def shorten(self) -> None:
        kept = _half_of_each_subtopic(self.kept)
        left_out = len(self.kept) - len(kept)
        self.kept = kept
        self.notes.append(
            f"Shortened as the reviewer asked: {_counted(left_out)} left out."
            if left_out
            else "It can't be shortened without losing a section; name the one to leave out."
        )


def _half_of_each_subtopic(statements: Sequence[Statement]) -> list[Statement]:
    whole = Counter(statement.subtopic for statement in statements)
    taken: Counter[str] = Counter()
    kept: list[Statement] = []
    for statement in statements:
        taken[statement.subtopic] += 1
        if 2 * taken[statement.subtopic] <= whole[statement.subtopic] + 1:
            kept.append(statement)
    return kept


def _leaves_the_passage_out(comment: str) -> bool:
    """Whether a comment wants something left out and names nothing."""
    return bool(_WITHOUT.search(comment)) and not _phrases(_WITHOUT, comment)


def _phrases(pattern: re.Pattern[str], comment: str) -> list[frozenset[str]]:
    named = (_named(part) for found in pattern.finditer(comment) for part in _parts(found))
    return [phrase for phrase in named if phrase]


def _parts(found: re.Match[str]) -> list[str]:
    return _SEPARATE.split(found["what"])


def _named(phrase: str) -> frozenset[str]:
    """Return the terms of a phrase, without words for parts of a report."""
    return frozenset(terms(phrase)) - _LAYOUT


def _is_known(phrase: frozenset[str], claims: Sequence[frozenset[str]]) -> bool:
    return any(phrase <= claim for claim in claims)


def _counted(number: int) -> str:
    return "1 statement" if number == 1 else f"{number} statements"


def _untouched(comment: str) -> str:
    shown = " ".join(comment.split())[:_LONGEST_COMMENT]
    return (
        f"The reviewer's comment \u201c{shown}\u201d can't be met by selecting and quoting "
        "sentences alone, so the statements are as they were."
    )
