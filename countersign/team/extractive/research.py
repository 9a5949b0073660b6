"""What the embedded model answers to a planner's and a researcher's question."""

from __future__ import annotations

from collections.abc import Sequence

from countersign.sources.terms import terms
from countersign.team.extractive.relevance import Sentence, best_sentences
from countersign.team.extractive.vocabulary import topic_terms
from countersign.team.models import LONGEST_TOPIC, Finding, Plan, Research
from countersign.team.questions import Shown

MOST_SUBTOPICS = 5

# The topic as a whole is best seen through many sources, a part of it through few.
MOST_OVERALL, MOST_OVERALL_PER_SOURCE = 10, 3
MOST_FINDINGS, MOST_PER_SOURCE = 6, 5


def overall(topic: str) -> str:
    """Return the subtopic that stands for the topic as a whole."""
    return topic.strip()[:LONGEST_TOPIC].strip()


def plan(topic: str, titles: Sequence[str]) -> Plan:
    """Divide a topic by the documents that bear its words in their titles.

    The topic itself comes first, so a document without a telling title is found too.
    """
    about = topic_terms(topic)
    shared = {title: len(about.intersection(terms(title))) for title in titles}
    related = [title for title in shared if _is_related(shared[title], title, topic)]
    ranked = sorted(related, key=lambda title: -shared[title])
    return Plan(subtopics=[overall(topic), *ranked[: MOST_SUBTOPICS - 1]])


def _is_related(shared: int, title: str, topic: str) -> bool:
    own = frozenset(terms(title))
    return 0 < len(own) <= 2 * shared and own != frozenset(terms(topic))


def findings(topic: str, subtopic: str, passages: Sequence[Shown]) -> Research:
    """Take the best sentences as claims, in reading order; each is its own quote."""
    best = _best(topic, subtopic, passages)
    return Research(
        findings=[
            Finding(claim=_as_claim(each.text), quote=each.text, source=each.source)
            for each in sorted(best, key=lambda sentence: sentence.place)
        ]
    )


def _best(topic: str, subtopic: str, passages: Sequence[Shown]) -> list[Sentence]:
    if subtopic == overall(topic):
        return best_sentences(
            topic, topic, passages, most=MOST_OVERALL, most_per_source=MOST_OVERALL_PER_SOURCE
        )
    return best_sentences(
        topic, subtopic, passages, most=MOST_FINDINGS, most_per_source=MOST_PER_SOURCE
    )


def _as_claim(sentence: str) -> str:
    return sentence if sentence[-1] in ".!\"')\u2019\u201d]" else f"{sentence}."
