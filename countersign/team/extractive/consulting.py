"""What the embedded model answers to a reviewer's question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from countersign.team.extractive.relevance import best_sentences
from countersign.team.models import Citation, Consultation
from countersign.team.questions import Shown

MOST_QUOTED = 3

QUOTED = (
    "The embedded model can't infer, it selects and quotes. Of what the findings and sources of "
    "this version say, this is closest to the question."
)
NOTHING = (
    "The embedded model can't infer, it selects and quotes. It found no sentence on this in the "
    "findings and sources of this version."
)


def consultation(
    question: str, claims: Sequence[Mapping[str, Any]], passages: Sequence[Shown]
) -> Consultation:
    """Quote what is closest to a question: of the findings first, and of what was looked up.

    Args:
        question: The reviewer's.
        claims: `{quote, source, source_title, found}` each; a quote that wasn't found is no source.
        passages: What the look-up has shown.
    """
    found = [_shown(claim) for claim in claims if claim["found"]]
    best = best_sentences(
        question,
        question,
        [*found, *passages],
        most=MOST_QUOTED,
        most_per_source=MOST_QUOTED,
    )
    return Consultation(
        answer=QUOTED if best else NOTHING,
        quotes=[Citation(quote=each.text, source=each.source) for each in best],
    )


def _shown(claim: Mapping[str, Any]) -> Shown:
    return Shown(
        source=str(claim["source"]), title=str(claim["source_title"]), text=str(claim["quote"])
    )
