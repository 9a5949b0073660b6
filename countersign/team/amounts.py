"""Whether a claim that gives an amount gives it of what a question asks for.

"How many tonnes of timber?" is no question for all cargo. Small models answer with the nearest
number. Code can tell where the claim has the unit, and its source has the word that is missing.
"""

from __future__ import annotations

import re

from countersign.sources.terms import terms
from countersign.team.models import CheckedFinding

# The unit, and of what, in English, French and German.
_ASKED = (
    re.compile(r"\bhow (?:many|much) ([^\W\d_]+) of (?:the |all )?([^\W\d_]+)", re.IGNORECASE),
    re.compile(r"\bcombien de ([^\W\d_]+) d(?:e |es |['\u2019])([^\W\d_]+)", re.IGNORECASE),
    re.compile(r"\b[Ww]ie ?viele? ([^\W\d_]+) (?:an |von )?([A-Z\u00c4\u00d6\u00dc][^\W\d_]+)"),
)


def other_amount(question: str, finding: CheckedFinding, title: str, text: str) -> str:
    """Return what a question asks the amount of, where a claim has one of something else.

    Args:
        question: what is asked.
        finding: the claim, and its quote.
        title: of its source.
        text: of its source; a word that this doesn't have can't be missed.

    Returns:
        The word that is missing, as the question has it; nothing if none is.
    """
    asked = next((found for each in _ASKED if (found := each.search(question))), None)
    passage = finding.passage
    if asked is None or passage is None:
        return ""
    unit, what = (frozenset(terms(each)) for each in asked.groups())
    said = frozenset(terms(f"{finding.claim} {passage.quote}"))
    around = frozenset(terms(f"{title} {passage.where} {passage.before_it}"))
    is_other = unit <= said and what and what.isdisjoint(said | around)
    return asked[2] if is_other and what <= frozenset(terms(text)) else ""
