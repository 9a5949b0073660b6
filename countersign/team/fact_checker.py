"""The fact-checker: says which claims their quotes support, where code lets it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from countersign.sources.terms import words
from countersign.team.answers import answer
from countersign.team.calls import Calls
from countersign.team.models import CheckedFinding, FactCheckResult, Findings, Verdict
from countersign.team.questions import question
from countersign.team.roles import FACT_CHECKER

NO_FINDINGS = "Nothing on this topic that could be quoted was found in the sources."
NOT_LOOKED_UP = "Nothing was looked up, because the topic contains no words to search for."
NO_SUCH_SOURCE = "The model named only sources that it was not shown, so no claim could be used."
NO_QUOTES = "The words that the model quoted are in none of the sources, so no claim could be used."
NOT_FOUND = "The quote was not found in the source."
NO_STATEMENT = "This is not a statement of fact."
NOT_JUDGED = "The fact-checker gave no clear verdict."
NONE_SUPPORTED = "No claim is supported by its quote."
NOTHING_MORE = "Another round of research found nothing new."
TOO_LITTLE = "The fact-checker considers what was proved too little for a report on this topic."

_OUR_WORDS = (
    *(NO_FINDINGS, NOT_LOOKED_UP, NO_SUCH_SOURCE, NO_QUOTES),
    *(NONE_SUPPORTED, NOTHING_MORE, TOO_LITTLE),
)

LONGEST_NOTES = 2_000


@dataclass(frozen=True, kw_only=True, slots=True)
class Round:
    """What is judged, and what it is judged for.

    Attributes:
        topic: what the report is to be on.
        subtopics: the planned parts of it.
        findings: all findings of the round, as `quotes.checked` returns them.
        proved: the claims of earlier rounds that stand, as `(subtopic, claim)`.
        titles: the titles of the sources that genuine quotes are from, by source id; the model is
            shown them.
        nothing: why, if there are no findings.
        last: whether this is the last round of research.
    """

    topic: str
    subtopics: Sequence[str]
    findings: Sequence[CheckedFinding] = ()
    titles: Mapping[str, str] = field(default_factory=dict[str, str])
    proved: Sequence[tuple[str, str]] = ()
    nothing: str = NO_FINDINGS
    last: bool = False


async def check(calls: Calls, judged: Round) -> FactCheckResult:
    """Judge each finding; the result has one verdict for each, numbered from 1, in order.

    The model sees only findings whose quote stands in its source. The others are unsupported,
    whatever it says, as is a finding that it gives no verdict or two different ones. Without any
    supported claim nothing is approved, and without any genuine quote the model isn't even asked.
    After the last round whatever is supported is approved: what the model thinks of it is in the
    notes, for the person who decides.
    Findings that are too many for one request are judged in several; the last one, which shows
    what the others support, says whether a report may be written.

    Args:
        calls: Makes the calls.
        judged: What is to be judged.

    Raises:
        TeamError: See `errors`.
    """
    genuine = {n: each for n, each in enumerate(judged.findings, start=1) if _is_genuine(each)}
    if not genuine and not judged.proved:
        return _refused(judged)
    verdicts: list[Verdict] = []
    proved = list(judged.proved)
    result: FactCheckResult | None = None
    for batch in _batches(genuine, judged.titles, calls.choice.shown_characters):
        asked = {each["number"] for each in batch}
        result = await answer(
            calls,
            FACT_CHECKER,
            _asked(judged, proved, batch),
            FactCheckResult,
            enough=lambda told, asked=asked: asked <= {each.claim for each in told.verdicts},
        )
        verdicts += result.verdicts
        supported = {verdict.claim for verdict in result.verdicts if verdict.supported}
        proved += [(genuine[n].subtopic, genuine[n].claim) for n in supported & genuine.keys()]
    assert result  # noqa: S101 - there is at least one batch
    return _result(judged, result, _verdicts(judged.findings, verdicts))


def missing(notes: str) -> str:
    """What the model says is missing, without the sentences that people are told by code."""
    for sentence in _OUR_WORDS:
        notes = notes.replace(sentence, "")
    return notes.strip()


def nothing_found(found: Sequence[Findings]) -> str:
    """Why a round brought no findings, as people are told."""
    if any(each.strays for each in found):
        return NO_SUCH_SOURCE
    if found and all(each.looked_up == [] for each in found):
        return NOT_LOOKED_UP
    return NO_FINDINGS


def _is_genuine(finding: CheckedFinding) -> bool:
    return finding.found and _is_statement(finding)


def _is_statement(finding: CheckedFinding) -> bool:
    """Whether a claim may be one; a question or a heading is none, whatever its quote says."""
    said = words(finding.claim)
    asks = finding.claim.rstrip().endswith(("?", "\uff1f"))
    return bool(said) and not asks and said != words(finding.subtopic)


def _refused(judged: Round) -> FactCheckResult:
    return FactCheckResult(
        approved=False,
        notes=NO_QUOTES if judged.findings else judged.nothing,
        verdicts=_verdicts(judged.findings, []),
    )


def _batches(
    genuine: Mapping[int, CheckedFinding], titles: Mapping[str, str], most: int
) -> Iterator[list[Mapping[str, object]]]:
    """The claims to judge, as the model is shown them, as many at once as one request may show."""
    batch, length = list[Mapping[str, object]](), 0
    for number, finding in genuine.items():
        shown = _shown(number, finding, titles)
        characters = len(json.dumps(shown, ensure_ascii=False))
        if batch and length + characters > most:
            yield batch
            batch, length = [], 0
        batch.append(shown)
        length += characters
    yield batch


def _asked(
    judged: Round, proved: Sequence[tuple[str, str]], batch: Sequence[Mapping[str, object]]
) -> str:
    return question(
        {
            "topic": judged.topic,
            "subtopics": [
                {"number": number, "subtopic": subtopic}
                for number, subtopic in enumerate(judged.subtopics, start=1)
            ],
            "proved": [{"subtopic": subtopic, "claim": claim} for subtopic, claim in proved],
            "claims": list(batch),
            "last_round": judged.last,
        }
    )


def _shown(number: int, finding: CheckedFinding, titles: Mapping[str, str]) -> Mapping[str, object]:
    passage = finding.passage
    return {
        "number": number,
        "subtopic": finding.subtopic,
        "claim": finding.claim,
        "before": passage.before if passage else "",
        "quote": passage.quote if passage else finding.quote,
        "after": passage.after if passage else "",
        "source_title": titles[finding.source],
    }


def _result(judged: Round, said: FactCheckResult, verdicts: Sequence[Verdict]) -> FactCheckResult:
    any_supported = bool(judged.proved) or any(verdict.supported for verdict in verdicts)
    ours = list(_our_notes(judged, said, any_supported=any_supported))
    return FactCheckResult(
        approved=any_supported and (said.approved or judged.last),
        notes=" ".join([*ours, said.notes]).strip()[:LONGEST_NOTES],
        again=[n for n in said.again if 1 <= n <= len(judged.subtopics)],
        verdicts=list(verdicts),
    )


def _our_notes(judged: Round, said: FactCheckResult, *, any_supported: bool) -> Iterator[str]:
    """What people are to know of a round that the model doesn't say."""
    if not any_supported:
        yield NONE_SUPPORTED
    elif not said.approved:
        if judged.last:
            yield TOO_LITTLE
        if not judged.findings:
            yield NOTHING_MORE


def _verdicts(findings: Sequence[CheckedFinding], judged: Sequence[Verdict]) -> list[Verdict]:
    by_number: dict[int, list[Verdict]] = {}
    for verdict in judged:
        by_number.setdefault(verdict.claim, []).append(verdict)
    return [
        _verdict(number, finding, by_number.get(number, []))
        for number, finding in enumerate(findings, start=1)
    ]


def _verdict(number: int, finding: CheckedFinding, judged: Sequence[Verdict]) -> Verdict:
    if not finding.found:
        return Verdict(claim=number, supported=False, note=NOT_FOUND)
    if not _is_statement(finding):
        return Verdict(claim=number, supported=False, note=NO_STATEMENT)
    if len({verdict.supported for verdict in judged}) != 1:
        return Verdict(claim=number, supported=False, note=NOT_JUDGED)
    return judged[0]
