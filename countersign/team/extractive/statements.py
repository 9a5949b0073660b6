"""The supported claims that a report is made of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from countersign.sources.terms import terms
from countersign.team.quotes import stands_in


@dataclass(frozen=True, kw_only=True, slots=True)
class Statement:
    """A supported claim, by the number under which a report cites it."""

    number: int
    claim: str
    subtopic: str
    source: str

    @classmethod
    def from_question(cls, claim: Mapping[str, Any]) -> Statement:
        """Take a claim from a writer's question; raises KeyError if a part is missing."""
        return cls(
            number=int(claim["number"]),
            claim=str(claim["claim"]),
            subtopic=str(claim["subtopic"]),
            source=str(claim["source"]),
        )

    @property
    def cited(self) -> str:
        """The claim in quotation marks, since it is its own quote, with its citation."""
        return f"\u201c{self.claim}\u201d [{self.number}]"

    def is_about(self, phrases: Iterable[frozenset[str]]) -> bool:
        """Say whether the claim or its subtopic has all terms of any of the phrases."""
        own = frozenset(terms(f"{self.subtopic} {self.claim}"))
        return any(phrase <= own for phrase in phrases)

    def shares(self, passage: str) -> bool:
        """Say whether the claim stands in a passage of a report, or the passage in the claim."""
        said = passage.strip(' \u201c\u201d"')
        return stands_in(self.claim, passage) or stands_in(said, self.claim)

    def is_in(self, markdown: str) -> bool:
        """Say whether a report written before has this claim."""
        return stands_in(self.claim, markdown.replace("\\", ""))
