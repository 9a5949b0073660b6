"""Choose the sentences that say most about a topic, or none if the sources don't treat it."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, starmap

from countersign.sources.terms import is_paired, script_of, terms
from countersign.team.claims import near_duplicates
from countersign.team.extractive.sentences import sentences
from countersign.team.extractive.vocabulary import specificity, topic_terms
from countersign.team.questions import Shown
from countersign.team.wording import numbers

# A topic counts as treated if one passage has more than half of what it is about, or if all
# together have nearly all of it. A passage with less may then be quoted on its part.
ONE_HAS_MORE_THAN, ALL_HAVE, EACH_HAS = 0.5, 0.8, 0.2

# A sentence far weaker than the best adds length to a report, not knowledge.
SHARE_OF_BEST = 0.35

# Such a sentence leans on the one before it, and says less alone.
_LEANS = re.compile(
    r"(?:this|that|these|those|it|its|they|their|he|she|such|so|then|thus|hence|here|there|however"
    r"|but|and|or|also|instead|therefore|otherwise|consequently|another|both|neither|either|again"
    r"|because (?:it|they|its|their)|each one"
    r"|the (?:first|second|third|other|last|same|former|latter)"
    r"|(?:for|in|at|of|by|with|from|to|on) (?:this|that|these|those|it|them|which|each|such))\b"
    r"|.*\b(?:too|as well|above|below)\.$",
    re.IGNORECASE,
)
_LEANING_FACTOR = 0.35

# A sentence with the amount that is asked for says more than others on the topic.
_ANSWERING_FACTOR = 2

# What the library ranks lower weighs a little less.
_LOSS_PER_RANK = 0.05
_USUAL_WORDS = 22
_FEW_TERMS = 2


@dataclass(frozen=True, kw_only=True, slots=True)
class Sentence:
    """A sentence of a passage, its place among all of them, and how much it says."""

    text: str
    source: str
    place: int
    score: float


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
        self._passages = [(passage, _terms_of(passage)) for passage in passages]
        self._having = Counter(term for _, found in self._passages for term in found)
        subtopic_terms = self._readable(topic_terms(subtopic))
        self._topic = self._readable(topic_terms(topic)) or subtopic_terms
        self._subtopic = subtopic_terms or self._topic
        self._expected = expected(topic, self._having)

    def candidates(self) -> list[Sentence]:
        """Return the sentences with terms of the question, from passages that treat the topic.

        Where an amount is asked for and none of them has it, they are none.
        """
        found = chain.from_iterable(starmap(self._sentences, self._treating()))
        sentences = [
            Sentence(text=text, source=source, place=place, score=score)
            for place, (text, source, score) in enumerate(found)
            if score > 0
        ]
        if self._expected is None:
            return sentences
        answering = {each.place for each in sentences if self._expected.is_in(each.text)}
        return [
            replace(each, score=each.score * (_ANSWERING_FACTOR if each.place in answering else 1))
            for each in sentences
            if answering
        ]

    def _readable(self, asked: frozenset[str]) -> frozenset[str]:
        """Return the terms in scripts that the passages have: of others they can say nothing."""
        scripts = set(map(script_of, self._having))
        return frozenset(term for term in asked if script_of(term) in scripts)

    def _treating(self) -> list[tuple[int, Shown]]:
        shares = [_share(self._topic, found) for _, found in self._passages]
        together = _share(self._topic, frozenset(self._having))
        if max(shares, default=0) <= ONE_HAS_MORE_THAN and together < ALL_HAVE:
            return []
        ranked = enumerate(zip(self._passages, shares, strict=True))
        return [(rank, passage) for rank, ((passage, _), share) in ranked if share >= EACH_HAS]

    def _sentences(self, rank: int, passage: Shown) -> Iterator[tuple[str, str, float]]:
        found = _terms_of(passage)
        on_topic, on_subtopic = (
            _share(part, found) > ONE_HAS_MORE_THAN for part in (self._topic, self._subtopic)
        )
        # Where a passage is on the question as a whole, a sentence of it has less to prove.
        fewest = 1 if on_topic or on_subtopic or len(self._topic) <= _FEW_TERMS else 2
        for text in sentences(passage.text):
            shared = (self._topic | self._subtopic).intersection(terms(text))
            own = shared & self._subtopic
            fits = len(shared) >= fewest and (on_subtopic or own)
            weight = self._weight(shared) + self._weight(own) if fits else 0
            yield text, passage.source, weight * _fitness(text) * (1 - _LOSS_PER_RANK * rank)

    def _weight(self, some_terms: Iterable[str]) -> float:
        number = len(self._passages)
        return sum(math.log(1 + (number + 1) / (self._having[term] + 0.5)) for term in some_terms)


def _share(part: frozenset[str], found: frozenset[str]) -> float:
    lacking = part - found
    # A word of two letters leaves a pair with each of its neighbours, which need not be in a text.
    by_chance = sum(is_paired(term[0]) for term in lacking) / 2
    told = specificity(part & found)
    return told / (told + specificity(lacking) - by_chance) if told else 0


def _terms_of(passage: Shown) -> frozenset[str]:
    return frozenset(terms(f"{passage.title} {passage.text}"))


def _fitness(text: str) -> float:
    leaning = _LEANING_FACTOR if _LEANS.match(text) else 1
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
