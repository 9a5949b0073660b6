"""Choose the sentences that say most about a topic, or none if the sources don't treat it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from countersign.sources.terms import stem, terms
from countersign.team.claims import near_duplicates
from countersign.team.extractive.sentences import sentences

# The share of a topic's weight that one passage, or all together, must have if the topic is to be
# treated at all; and the share that each passage must have to be quoted, for it may treat a part.
ONE_COVERS, ALL_COVER, EACH_COVERS = 0.5, 0.7, 0.2

# A sentence far weaker than the best adds length to a report, not knowledge.
SHARE_OF_BEST = 0.4

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
    topic: str, subtopic: str, passages: Sequence[Shown], *, most: int, most_per_source: int
) -> list[Sentence]:
    """Return the sentences that say most about the subtopic of a topic, best first.

    Returns nothing if the passages don't treat the topic. Equal input gives equal output.
    """
    question = _Question(topic, subtopic, passages)
    ranked = sorted(question.candidates(), key=lambda each: (-each.score, each.place))
    return _chosen(ranked, most, most_per_source)


class _Question:
    """What is asked, weighed by the passages: a term tells most that the fewest of them have."""

    def __init__(self, topic: str, subtopic: str, passages: Sequence[Shown]) -> None:
        self._topic, self._subtopic = topic_terms(topic), topic_terms(subtopic)
        self._passages = [(passage, _terms_of(passage)) for passage in passages]
        self._having = Counter(term for _, found in self._passages for term in found)

    def candidates(self) -> Iterator[Sentence]:
        """Yield the sentences with terms of the question, from the passages that treat the topic."""
        place = 0
        for passage, found in self._treating():
            asked = self._topic | self._subtopic
            # Where the passage is on the topic as a whole, a sentence of it needs to say less.
            fewest = 1 if self._is_covered_by(found) else min(2, len(asked))
            for text in sentences(passage.text):
                place += 1
                shared = asked.intersection(terms(text))
                if len(shared) >= fewest:
                    score = self._weight(shared) * _fitness(text)
                    yield Sentence(text=text, source=passage.source, place=place, score=score)

    def _treating(self) -> list[tuple[Shown, frozenset[str]]]:
        shares = [self._share(self._topic, found) for _, found in self._passages]
        together = self._share(self._topic, frozenset(self._having))
        if max(shares, default=0) < ONE_COVERS and together < ALL_COVER:
            return []
        return [
            passage
            for passage, share in zip(self._passages, shares, strict=True)
            if share >= EACH_COVERS
        ]

    def _is_covered_by(self, found: frozenset[str]) -> bool:
        return any(self._share(part, found) >= ONE_COVERS for part in (self._topic, self._subtopic))

    def _share(self, part: frozenset[str], found: frozenset[str]) -> float:
        return self._weight(part & found) / self._weight(part) if part else 0

    def _weight(self, some_terms: Iterable[str]) -> float:
        number = len(self._passages)
        return sum(math.log(1 + (number + 1) / (self._having[term] + 0.5)) for term in some_terms)


def _terms_of(passage: Shown) -> frozenset[str]:
    return frozenset(terms(f"{passage.title} {passage.text}"))


def _fitness(text: str) -> float:
    leaning = _LEANING_FACTOR if text.startswith(_LEANING) else 1
    return leaning / (0.6 + 0.4 * len(text.split()) / _USUAL_WORDS)


def _chosen(ranked: Sequence[Sentence], most: int, most_per_source: int) -> list[Sentence]:
    chosen: list[Sentence] = []
    per_source: Counter[str] = Counter()
    for sentence in ranked:
        if len(chosen) == most or sentence.score < SHARE_OF_BEST * ranked[0].score:
            break
        repeats = any(near_duplicates(sentence.text, other.text) for other in chosen)
        if not repeats and per_source[sentence.source] < most_per_source:
            chosen.append(sentence)
            per_source[sentence.source] += 1
    return chosen
