"""What a sentence has to have to answer a question for an amount, in English, German or French."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from countersign.sources.terms import terms
from countersign.team.extractive.vocabulary import topic_terms
from countersign.team.wording import numbers

_HOW_MANY = re.compile(r"\b(?:how (?:many|much)|combien|wie ?viele?n?)\b(?P<of>.*)", re.IGNORECASE)
_WHAT_COST = re.compile(
    r"\bwhat (?:does|do|did|will|would)\b.*\bcosts?\b|\bwas koste(?:n|t|te|ten)\b"
    r"|\bhow much\b.*\bcosts?\b|\bcombien (?:co\u00fbte|co\u00fbtent|a co\u00fbt\u00e9)\b"
    r"|\bwie viel kostet\w*\b",
    re.IGNORECASE,
)
_MONEY = re.compile(
    r"[\u20ac$\u00a3\u00a5]|\b(?:euros?|cents?|centimes?|dollars?|pounds?|pence|francs?|franken"
    r"|eur|usd|gbp|chf|free|kostenlos|gratuit\w*)\b",
    re.IGNORECASE,
)
_NONE = re.compile(
    r"\b(?:no|none|nobody|kein(?:e[mnrs]?)?|niemand|aucune?|personne)\b", re.IGNORECASE
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Expected:
    """What an answer has.

    Attributes:
        known: the numbers that the question has itself.
        counted: the terms of which one is counted; nothing where money is asked for.
    """

    known: frozenset[str]
    counted: frozenset[str]

    def is_in(self, sentence: str) -> bool:
        """Return whether a sentence gives the number asked for, or says that there is none."""
        has_amount = bool(set(numbers(sentence)) - self.known) or bool(_NONE.search(sentence))
        if self.counted:
            return has_amount and not self.counted.isdisjoint(terms(sentence))
        return has_amount and bool(_MONEY.search(sentence))


def expected(topic: str, known: Collection[str]) -> Expected | None:
    """Return what a sentence has to have to answer a question; None if that can't be said.

    Args:
        topic: the question.
        known: all terms that its sources have; what these call otherwise can't be looked for.
    """
    own = frozenset(numbers(topic))
    if _WHAT_COST.search(topic):
        return Expected(known=own, counted=frozenset())
    asked = _HOW_MANY.search(topic)
    counted = _first(asked["of"], topic) & frozenset(known) if asked else frozenset[str]()
    return Expected(known=own, counted=counted) if counted else None


def _first(words: str, topic: str) -> frozenset[str]:
    about = topic_terms(topic)
    return frozenset([term for term in terms(words) if term in about][:1])
