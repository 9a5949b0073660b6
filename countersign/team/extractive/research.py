"""What the embedded model answers to a planner's and a researcher's question."""

from __future__ import annotations

from collections.abc import Sequence

from countersign.sources.terms import terms
from countersign.team.extractive.relevance import Shown, best_sentences, topic_terms
from countersign.team.models import Finding, Findings, Plan

MOST_SUBTOPICS = 5
MOST_FINDINGS = 5


def plan(topic: str, titles: Sequence[str]) -> Plan:
    """Divide a topic by the documents that bear its words in their titles.

    The topic itself comes first, so a document without a telling title is found too.
    """
    about = topic_terms(topic)
    shared = {title: len(about.intersection(terms(title))) for title in titles}
    related = sorted((title for title in shared if shared[title]), key=lambda each: -shared[each])
    apart = [title for title in related if frozenset(terms(title)) != frozenset(terms(topic))]
    return Plan(subtopics=[topic[:200], *(title[:200] for title in apart[: MOST_SUBTOPICS - 1])])


def query(topic: str, subtopic: str) -> str:
    """Return what to look up first."""
    return topic if subtopic == topic else f"{subtopic} {topic}"


def findings(topic: str, subtopic: str, passages: Sequence[Shown]) -> Findings:
    """Take the best sentences as claims; each is its own quote."""
    best = best_sentences(topic, subtopic, passages, MOST_FINDINGS)
    in_reading_order = sorted(best, key=lambda sentence: sentence.place)
    return Findings(
        findings=[
            Finding(claim=_as_claim(each.text), quote=each.text, source=each.source)
            for each in in_reading_order
        ]
    )


def _as_claim(sentence: str) -> str:
    return sentence if sentence[-1] in ".!\"')\u2019\u201d]" else f"{sentence}."
