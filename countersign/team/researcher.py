"""The researcher: divides a topic, finds claims with their quotes, and hears what a reviewer wants.

Code corrects the source and the words of a finding where it knows better than the model.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from countersign.platform.threads import RESEARCH
from countersign.sources.library import AsyncLibrary
from countersign.team.calls import Calls
from countersign.team.claims import near_duplicates
from countersign.team.folded import FoldedText
from countersign.team.look_ups import LookUps
from countersign.team.meant import Passages, is_beside_the_point
from countersign.team.models import Finding, Findings, Plan, Research, Wanted
from countersign.team.questions import Shown, question
from countersign.team.roles import PLANNER, RESEARCHER, REVISER

MOST_TITLES = 100

MOST_TURNS = 3
"""How often the researcher is shown passages for one subtopic in one round."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Earlier:
    """What earlier rounds made of a subtopic.

    Attributes:
        proved: the claims that stand.
        failed: `{claim, reason}` of each that doesn't, and where there is one, the `passage` of its
            `source` that is nearest to it.
        notes: what the fact-checker said is missing.
    """

    proved: Sequence[str] = ()
    failed: Sequence[Mapping[str, str]] = ()
    notes: str = ""


NOTHING_EARLIER = Earlier()


async def plan(calls: Calls, *, topic: str, titles: Sequence[str]) -> Plan:
    """Divide a topic into one to six subtopics, of which no two say the same.

    Args:
        calls: Makes the calls.
        topic: What the report is to be on.
        titles: The library's titles, of which the first MOST_TITLES are shown.

    Raises:
        TeamError: The model cannot be asked, or its answer cannot be used (`errors` has each).
    """
    asked = question({"topic": topic, "titles": list(titles[:MOST_TITLES])})
    planned = await calls.answer(PLANNER, asked, Plan)
    different = list[str]()
    for subtopic in planned.subtopics:
        if not any(near_duplicates(subtopic, each) for each in different):
            different.append(subtopic)
    return Plan(subtopics=different)


async def wanted(calls: Calls, *, topic: str, claims: Sequence[str], comment: str) -> Wanted:
    """Say what to look up before a report can be changed as a reviewer wants.

    Args:
        calls: Makes the calls.
        topic: What the report is on.
        claims: What is proved so far.
        comment: What the reviewer wants.

    Raises:
        TeamError: The model cannot be asked, or its answer cannot be used (`errors` has each).
    """
    asked = question({"topic": topic, "claims": list(claims), "comment": comment})
    return await calls.answer(REVISER, asked, Wanted)


async def research(
    calls: Calls,
    *,
    topic: str,
    subtopic: str,
    library: AsyncLibrary,
    earlier: Earlier = NOTHING_EARLIER,
    queries: Sequence[str] = (),
) -> Findings:
    """Find claims on a subtopic, each with a quote.

    Code looks up first, so no answer comes of nothing. The researcher may ask for more, and is then
    shown what is new. Whether a quote stands in its source is checked later, by `quotes.checked`.

    Args:
        calls: Makes the calls.
        topic: What the report is to be on.
        subtopic: The part of it to research now.
        library: Where to look.
        earlier: What earlier rounds made of it.
        queries: What to look up first, if that is known.

    Raises:
        TeamError: The model cannot be asked, or its answer cannot be used (`errors` has each).
        SourceError: The library can't be read.
    """
    look_ups = LookUps(library, calls.choice.shown_characters)
    first = queries or _first_queries(topic, subtopic, earlier)
    passages = await look_ups.look_up(first)
    titles = [] if passages else await library.titles()
    found: list[Finding] = []
    for _ in range(MOST_TURNS):
        asked = _asked(topic, subtopic, earlier, look_ups, found, titles)
        told = await calls.answer(
            RESEARCHER,
            question(asked, passages),
            Research,
            enough=lambda told: bool(told.findings),
        )
        found += told.findings
        passages = await look_ups.look_up(told.look_up)
        if not passages:
            break
    texts = {source: await library.text(source) for source in look_ups.sources()}
    return await RESEARCH.run(_findings, found, look_ups, texts)


def _first_queries(topic: str, subtopic: str, earlier: Earlier) -> list[str]:
    # What is missing may be in words that the subtopic doesn't have.
    first = topic if subtopic == topic else f"{subtopic} {topic}"
    return [first, earlier.notes] if earlier.notes else [first]


def _asked(
    topic: str,
    subtopic: str,
    earlier: Earlier,
    look_ups: LookUps,
    found: Sequence[Finding],
    titles: Sequence[str],
) -> dict[str, object]:
    asked: dict[str, object] = {
        "topic": topic,
        "subtopic": subtopic,
        "looked_up": list(look_ups.queries),
    }
    further: dict[str, object] = {
        "titles": list(titles[:MOST_TITLES]),
        "proved": [*earlier.proved, *(finding.claim for finding in found)],
        "failed": list(earlier.failed),
        "notes": earlier.notes,
    }
    return asked | {name: value for name, value in further.items() if value}


def _findings(found: Sequence[Finding], look_ups: LookUps, texts: Mapping[str, str]) -> Findings:
    placed = attributed(found, look_ups.passages, texts)
    return Findings(
        findings=placed,
        looked_up=look_ups.queries,
        passages=len(look_ups.passages),
        strays=len(found) - len(placed),
    )


def attributed(
    findings: Sequence[Finding], shown: Sequence[Shown], texts: Mapping[str, str]
) -> list[Finding]:
    """Return the findings with the sources that they mean, leaving out those that mean none.

    A quote that stands in exactly one of the sources that were shown is from there, whatever the
    finding says. A quote that stands in none, or shows something else than its claim, gives way to
    the words of a passage that it copies badly, or that say what is claimed. Otherwise the source
    has to be one that was shown, named by its id or its title.

    Args:
        findings: What the researcher found.
        shown: The passages that it was shown.
        texts: The texts of their sources, by id.
    """
    folded = {source: FoldedText(text) for source, text in texts.items()}
    return list(_attributed(findings, shown, folded))


def _attributed(
    findings: Sequence[Finding], shown: Sequence[Shown], texts: Mapping[str, FoldedText]
) -> Iterator[Finding]:
    names = {_name(each.title): each.source for each in shown}
    names |= {_name(each.source): each.source for each in shown}
    passages = Passages(shown)
    for finding in findings:
        named = names.get(_name(finding.source))
        holders = _holders(finding.quote, named, texts)
        if meant := _meant(finding, passages, found=bool(holders)):
            yield meant
        elif source := holders[0] if len(holders) == 1 else named:
            yield finding.model_copy(update={"source": source})


def _holders(quote: str, named: str | None, texts: Mapping[str, FoldedText]) -> list[str]:
    """Return the sources that have a quote: the named one alone, if it is one of them."""
    if named and texts[named].has(quote):
        return [named]
    return [source for source, text in texts.items() if text.has(quote)]


def _meant(finding: Finding, passages: Passages, *, found: bool) -> Finding | None:
    """Return the finding with a better quote; None if it needs none or none is found."""
    if found and not is_beside_the_point(finding.claim, finding.quote):
        return None
    copied = None if found else passages.copied(finding.quote)
    words = copied or passages.saying(finding.claim)
    return words and finding.model_copy(update={"quote": words.text, "source": words.source})


def _name(text: str) -> str:
    return " ".join(text.casefold().strip("<>[](){}\"' .").split())
