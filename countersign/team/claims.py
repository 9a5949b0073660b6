"""Merge findings that say the same thing."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import filterfalse

from countersign.sources.terms import terms, words
from countersign.team.models import Finding, Findings, SubtopicFinding
from countersign.team.wording import is_negative, is_number

# Share of all terms of two claims that they have in common.
NEAR = 0.8
ON_THE_SAME = 0.6

_TURNS_THE_SENSE = frozenset(
    [
        "no",
        "not",
        "never",
        "none",
        "nor",
        "neither",
        "cannot",
        "without",
        "unless",
        "only",
        "except",
    ]
)

_NEGATIVE = "a not in any language"


def merged(
    found: Iterable[tuple[str, Findings]], proved: Iterable[str] = ()
) -> list[SubtopicFinding]:
    """Return the findings of all subtopics in order, leaving out what repeats an earlier one.

    Args:
        found: Pairs of a subtopic and what was found for it, in the order of the plan.
        proved: Claims that stand already; what repeats them is left out too.
    """
    known = [_Sense.of(claim) for claim in proved]
    kept: list[SubtopicFinding] = []
    for subtopic, findings in found:
        for finding in findings.findings:
            sense = _Sense.of(finding.claim)
            if not any(map(sense.repeats, known)):
                known.append(sense)
                kept.append(_placed(finding, subtopic))
    return kept


def near_duplicates(one: str, other: str) -> bool:
    """Say whether two claims say the same thing in nearly the same words.

    Claims with different numbers, or of which one says "not" and the other doesn't, never do.
    """
    return _Sense.of(one).repeats(_Sense.of(other))


def contradict(one: str, other: str) -> bool:
    """Say whether two claims are on the same, and differ in a number or in a "not"."""
    return _Sense.of(one).opposes(_Sense.of(other))


def _placed(finding: Finding, subtopic: str) -> SubtopicFinding:
    return SubtopicFinding(
        claim=finding.claim, quote=finding.quote, source=finding.source, subtopic=subtopic
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class _Sense:
    plain: str
    terms: frozenset[str]
    fixed: tuple[str, ...]

    @classmethod
    @lru_cache(maxsize=4_096)
    def of(cls, claim: str) -> _Sense:
        spoken = words(claim)
        return cls(
            plain=" ".join(spoken),
            terms=frozenset(terms(claim)),
            fixed=(*sorted(filter(_is_fixed, spoken)), *([_NEGATIVE] * is_negative(claim))),
        )

    def opposes(self, other: _Sense) -> bool:
        """Return whether both are on the same, apart from what turns the sense."""
        mine, theirs = (set(filterfalse(_is_fixed, each.terms)) for each in (self, other))
        together = mine | theirs
        alike = bool(together) and len(mine & theirs) / len(together) >= ON_THE_SAME
        return alike and self.fixed != other.fixed

    def repeats(self, other: _Sense) -> bool:
        if self.plain == other.plain:
            return True
        together = self.terms | other.terms
        shared = self.terms & other.terms
        return self.fixed == other.fixed and bool(together) and len(shared) / len(together) >= NEAR


def _is_fixed(word: str) -> bool:
    return word in _TURNS_THE_SENSE or word.endswith("n't") or is_number(word)
