"""What code alone can say against a sentence of a draft, for the reviewer to look at."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from countersign.sources.terms import terms
from countersign.team.context import passage_of, rest_of_sentence, sentence_of
from countersign.team.folded import FoldedText
from countersign.team.models import CheckedFinding, QuotedPassage
from countersign.team.sentences import ends_sentence, sentences
from countersign.team.wording import is_negative, names, numbers, reports, telling

LEAST_SHARED = 0.75
"""The part of a sentence's telling words that its quotes have, at least."""

ON_THE_SAME = 0.5
"""The part of them that one sentence of its quotes has, at least, if both are on the same."""

ANOTHER_ORDER = "Its numbers are in a different order from those in its quotes."
OTHER_SENSE = "It negates what its quotes affirm, or the reverse."
CLAIMED = "Its source says that others claim or contest it."
OTHER_WORDS = "Many of its words are in none of its quotes."
OWN_WORDS = "It is in the writer's own words; only a model has compared it with its quotes."
GIVES_ORDERS = "The quote gives instructions to its reader or to a model."
PART = "It repeats a part of a quoted sentence and leaves out the rest."
OFF_THE_SUBTOPIC = "The fact-checker considers it supported, but no answer to its subtopic."
OTHER_AMOUNT = "It gives an amount, but does not say that it is of what is asked for: {}."
INTRODUCED = "A heading or line that introduces the quote may deny it: \u201c{}\u201d."
DENIED = "A sentence near the quote may deny it: \u201c{}\u201d."
JOINED = "It joins parts of its source that a blank line keeps apart."
TURNED = "The quote leaves out words of its sentence that may deny it; read the whole sentence."

_INTRODUCES = (":", "\uff1a")
_BLANK_LINE = re.compile(r"\n[ \t]*\n\s*")

# A sentence that tells its reader, or a model, what to do is no statement about the world.
_ORDERS = re.compile(
    r"\b(?:ignore|disregard|forget|override|overlook)\b.{0,60}\b(?:instructions?|prompts?|rules|orders)\b"
    r"|\b(?:system prompt|as an ai|you are now|you must (?:now )?(?:approve|report|answer|write))\b"
    r"|\b(?:ignorier|vergiss|missacht)\w*\b.{0,60}\b(?:anweisung|befehl|regel|vorgabe)\w*"
    r"|\b(?:ignore[zr]?|oublie[zr]?)\b.{0,60}\b(?:instructions|consignes|r\u00e8gles)\b"
    r"|\b(?:ignor[ae]|olvid[ae])\w*\b.{0,60}\b(?:instrucciones|reglas|\u00f3rdenes)\b"
    r"|(?:\u5ffd\u7565|\u65e0\u89c6|\u7121\u8996).{0,20}(?:\u6307\u4ee4|\u6307\u793a)",
    re.IGNORECASE | re.DOTALL,
)


# The unit, and of what, in English, French and German.
_AMOUNT_ASKED = (
    re.compile(r"\bhow (?:many|much) ([^\W\d_]+) of (?:the |all )?([^\W\d_]+)", re.IGNORECASE),
    re.compile(r"\bcombien de ([^\W\d_]+) d(?:e |es |['\u2019])([^\W\d_]+)", re.IGNORECASE),
    re.compile(r"\b[Ww]ie ?viele? ([^\W\d_]+) (?:an |von )?([A-Z\u00c4\u00d6\u00dc][^\W\d_]+)"),
)


def gives_orders(text: str) -> bool:
    """Say whether a text speaks to a model, or orders its reader what to make of it."""
    return bool(_ORDERS.search(text))


def marks_of(finding: CheckedFinding) -> list[str]:
    """Return what a reviewer should know about a finding's quote."""
    marks = [GIVES_ORDERS] if gives_orders(finding.words) else []
    return [*marks, *marks_of_passage(finding.passage)] if finding.passage else marks


def marks_of_passage(passage: QuotedPassage) -> list[str]:
    """Return what a reader should know about where a quote stands."""
    rest = _rest(passage)
    marks = [TURNED] * (is_negative(rest) or reports(rest))
    marks += [JOINED] * _is_joined(passage.quote)
    marks += [INTRODUCED.format(passage.introduced)] * bool(passage.introduced)
    return marks + [DENIED.format(passage.denied)] * bool(passage.denied)


def _is_joined(quote: str) -> bool:
    """Whether a quote goes over a blank line where no sentence ends, and none is introduced."""
    *parts, _ = _BLANK_LINE.split(quote)
    return not all(ends_sentence(part) or part.endswith(_INTRODUCES) for part in parts)


def doubts_about(said: str, cited: Sequence[CheckedFinding], known: str = "") -> list[str]:
    """Return why a line may say more, or other, than the quotes of the findings it cites.

    Only of a line that is a whole sentence of a source, and in a quote, can code say that it holds.
    Of any other it can say what speaks against it, or else that it is in other words or only a
    part.

    Args:
        said: the sentence, title or heading, without its citations.
        cited: the findings.
        known: what else it may repeat, such as the topic.
    """
    marks = list(dict.fromkeys(mark for finding in cited for mark in marks_of(finding)))
    quotes = "\n\n".join(finding.words for finding in cited)
    # In each quote by itself: a line of the end of one and the start of another stands in none.
    place = _place(said, (finding.words for finding in cited))
    if place is None:
        return [*marks, *_differences(said, quotes, known)] or [OWN_WORDS]
    if not place.is_cut:
        # The quote itself may be cut out of its sentence.
        place = _place(said, map(_uncut, cited)) or place
    rest = _rest(place)
    turned = [OTHER_SENSE] * is_negative(rest) or [CLAIMED] * reports(rest)
    return [*marks, *turned, *[PART] * place.is_cut]


def _place(said: str, texts: Iterable[str]) -> QuotedPassage | None:
    """Where a line stands in the first of some texts that has all of it."""
    places = (passage_of(said, FoldedText(text)) for text in texts)
    return next((place for place in places if place), None)


def is_grave(reasons: Sequence[str]) -> bool:
    """Say whether something speaks against a line, and not only nothing for it."""
    return not {OWN_WORDS, PART}.issuperset(reasons)


def _rest(passage: QuotedPassage) -> str:
    """Return the rest of a passage's sentence, which may deny it or attribute it."""
    return rest_of_sentence(passage) if passage.is_cut else ""


def _uncut(finding: CheckedFinding) -> str:
    """Return the whole sentence, or sentences, that a finding quotes."""
    passage = finding.passage
    return sentence_of(passage) if passage and passage.is_cut else finding.words


def _differences(said: str, quotes: str, known: str) -> Iterator[str]:
    yield from _missing(said, f"{known}\n\n{quotes}")
    spoken, shown = numbers(said), numbers(quotes)
    if len(spoken) > 1 and set(spoken) <= set(shown) and not _in_order(spoken, shown):
        yield ANOTHER_ORDER
    told = telling(said)
    nearest = _nearest(told, quotes)
    on_the_same = len(told & telling(nearest)) >= ON_THE_SAME * len(told)
    if on_the_same and is_negative(said) != is_negative(nearest):
        yield OTHER_SENSE
    if len(told & telling(f"{known}\n\n{quotes}")) < LEAST_SHARED * len(told):
        yield OTHER_WORDS


def _missing(said: str, known: str) -> list[str]:
    shown, lower = set(numbers(known)), known.casefold()
    missing = [number for number in numbers(said) if number not in shown]
    missing += [name for name in names(said) if _stem(name) not in lower]
    return [f"Not in its quotes: {', '.join(dict.fromkeys(missing))}."] if missing else []


def _stem(name: str) -> str:
    return re.sub(r"['\u2019]s?$", "", name).casefold()


def _in_order(spoken: Sequence[str], shown: Sequence[str]) -> bool:
    rest = iter(shown)
    return all(number in rest for number in spoken)


def _nearest(told: set[str], known: str) -> str:
    """Return the sentence of a text that shares the most telling words with what is said."""
    spans = sentences(known)
    return max(
        (known[start:end] for start, end in spans),
        key=lambda sentence: len(told & telling(sentence)),
        default="",
    )


def other_amount(question: str, finding: CheckedFinding, title: str, text: str) -> str:
    """Return what a question asks the amount of, where a claim has one of something else.

    "How many tonnes of timber?" is no question for all cargo. Small models answer with the nearest
    number. Code can tell where the claim has the unit, and its source has the word that is missing.

    Args:
        question: what is asked.
        finding: the claim, and its quote.
        title: of its source.
        text: of its source; a word that this doesn't have can't be missed.

    Returns:
        The word that is missing, as the question has it; nothing if none is.
    """
    asked = next((found for each in _AMOUNT_ASKED if (found := each.search(question))), None)
    passage = finding.passage
    if asked is None or passage is None:
        return ""
    unit, what = (frozenset(terms(each)) for each in asked.groups())
    said = frozenset(terms(f"{finding.claim} {passage.quote}"))
    around = frozenset(terms(f"{title} {passage.where} {passage.before_it}"))
    is_other = unit <= said and what and what.isdisjoint(said | around)
    return asked[2] if is_other and what <= frozenset(terms(text)) else ""
