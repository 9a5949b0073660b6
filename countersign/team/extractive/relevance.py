"""Choose the sentences that say most about a topic, or none if the sources don't treat it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from countersign.sources.terms import stem, terms
from countersign.team.claims import near_duplicates
from countersign.team.extractive.sentences import sentences

# The share of the topic's weight that some passage must have before any is taken as being on the
# topic; one passage must have less, since it may treat a part of it.
TOPIC_COVERAGE, PASSAGE_COVERAGE = 0.5, 0.25

# A sentence far weaker than the best adds length to a report, not knowledge.
SHARE_OF_BEST = 0.35
MOST_PER_SOURCE = 3

# Words that say how to report, not what on.
_REQUEST_WORDS = """
aspect basic benefit best better case challenge common company comparison compare concept current
detail develop difference different discuss drawback effect engineer example explain explore
explanation good guide help idea impact important information introduce introduction issue key know
knowledge learn like main make method modern need new organisation organization overview people
point practical practice principle problem pros cons question recent recommend reason report
research review role short should simple state study summarise summarize summary team thing topic
trade tradeoff understand understanding use used useful user using various way work world write
"""
REQUEST_TERMS = frozenset(stem(word) for word in _REQUEST_WORDS.split())

# Such a sentence leans on the one before, and says less alone.
_LEANING = (
    "This ",
    "That ",
    "These ",
    "Those ",
    "It ",
    "They ",
    "Such ",
    "However",
    "But ",
    "And ",
)
_LEANING_FACTOR = 0.7
_USUAL_WORDS = 22


@dataclass(frozen=True, kw_only=True, slots=True)
class Shown:
    """A passage that was shown to the model."""

    source: str
    title: str
    text: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Sentence:
    """A sentence of a passage, its place among all of them, and how much it says."""

    text: str
    source: str
    place: int
    score: float


def topic_terms(topic: str) -> frozenset[str]:
    """Return what a topic is about: its terms without the words of the request itself."""
    all_terms = frozenset(terms(topic))
    return all_terms - REQUEST_TERMS or all_terms


def best_sentences(
    topic: str, subtopic: str, passages: Sequence[Shown], most: int
) -> list[Sentence]:
    """Return the sentences that say most about the subtopic of a topic, best first.

    Returns nothing if the passages don't treat the topic. Equal input gives equal output.
    """
    weights = _Weights(passages)
    treating = weights.treating(topic_terms(topic), passages)
    asked = topic_terms(topic) | topic_terms(subtopic)
    scored = _scored(asked, treating, weights)
    return _chosen(sorted(scored, key=lambda each: (-each.score, each.place)), most)


class _Weights:
    """How much a term tells: the fewer passages have it, the more; most if none has it."""

    def __init__(self, passages: Sequence[Shown]) -> None:
        self._number = len(passages)
        self._having = Counter(term for passage in passages for term in _terms_of(passage))

    def of(self, some_terms: Iterable[str]) -> float:
        return sum(
            math.log(1 + (self._number + 1) / (self._having[term] + 0.5)) for term in some_terms
        )

    def treating(self, topic: frozenset[str], passages: Sequence[Shown]) -> list[Shown]:
        """Return the passages that treat the topic, none unless one treats most of it."""
        whole = self.of(topic)
        shares = [
            self.of(topic & _terms_of(passage)) / whole if whole else 0 for passage in passages
        ]
        if max(shares, default=0) < TOPIC_COVERAGE:
            return []
        return [
            passage
            for passage, share in zip(passages, shares, strict=True)
            if share >= PASSAGE_COVERAGE
        ]


def _terms_of(passage: Shown) -> frozenset[str]:
    return frozenset(terms(f"{passage.title} {passage.text}"))


def _scored(
    asked: frozenset[str], passages: Sequence[Shown], weights: _Weights
) -> Iterator[Sentence]:
    fewest = min(2, len(asked))
    texts = ((passage.source, text) for passage in passages for text in sentences(passage.text))
    for place, (source, text) in enumerate(texts):
        shared = asked.intersection(terms(text))
        if len(shared) >= fewest:
            score = weights.of(shared) * _fitness(text)
            yield Sentence(text=text, source=source, place=place, score=score)


def _fitness(text: str) -> float:
    leaning = _LEANING_FACTOR if text.startswith(_LEANING) else 1
    return leaning / (0.6 + 0.4 * len(text.split()) / _USUAL_WORDS)


def _chosen(ranked: Sequence[Sentence], most: int) -> list[Sentence]:
    chosen: list[Sentence] = []
    per_source: Counter[str] = Counter()
    for sentence in ranked:
        weak = sentence.score < SHARE_OF_BEST * ranked[0].score
        if weak or len(chosen) == most:
            break
        repeats = any(near_duplicates(sentence.text, other.text) for other in chosen)
        if not repeats and per_source[sentence.source] < MOST_PER_SOURCE:
            chosen.append(sentence)
            per_source[sentence.source] += 1
    return chosen
