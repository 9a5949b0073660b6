"""The fact-checker: says which claims their quotes support, where code lets it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from countersign.sources.terms import words
from countersign.team.calls import Calls
from countersign.team.doubts import gives_orders
from countersign.team.meant import HARDLY_TOLD, share_told
from countersign.team.models import (
    LONGEST_CLAIM,
    CheckedFinding,
    FactCheckResult,
    Findings,
    Verdict,
)
from countersign.team.questions import question
from countersign.team.roles import FACT_CHECKER
from countersign.team.wording import numbers

NO_FINDINGS = "Nothing on this topic that could be quoted was found in the sources."
NOT_LOOKED_UP = "Nothing was looked up, because the topic contains no words to search for."
NO_SUCH_SOURCE = "The model named only sources that it was not shown, so no claim could be used."
NO_QUOTES = "The words that the model quoted are in none of the sources, so no claim could be used."
NOT_FOUND = "The quote was not found in the source."
NO_STATEMENT = "This is not a statement of fact."
BESIDE_THE_POINT = "The quote has none of the claim's numbers, and hardly any of its words."
NOT_JUDGED = "The fact-checker gave no clear verdict."
NONE_SUPPORTED = "No claim is supported by its quote."
NOTHING_MORE = "Another round of research found nothing new."
TOO_LITTLE = "The fact-checker considers what was proved too little for a report on this topic."

_OUR_WORDS = (
    *(NO_FINDINGS, NOT_LOOKED_UP, NO_SUCH_SOURCE, NO_QUOTES),
    *(NONE_SUPPORTED, NOTHING_MORE, TOO_LITTLE),
)

LONGEST_NOTES = 2_000

ON_THE_TOPIC = 1 / 3
"""The part of the telling words of topic and subtopic that a quote on them has, at least."""


@dataclass(frozen=True, kw_only=True, slots=True)
class RoundToJudge:
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


async def check(calls: Calls, judged: RoundToJudge) -> FactCheckResult:
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
        TeamError: The model cannot be asked, or its answer cannot be used (`errors` has each).
    """
    by_code = {n: _by_code(each, judged) for n, each in enumerate(judged.findings, start=1)}
    genuine = {n: judged.findings[n - 1] for n, refusal in by_code.items() if not refusal}
    if not genuine and not judged.proved:
        return _refused(judged, by_code)
    verdicts: list[Verdict] = []
    proved = list(judged.proved)
    result: FactCheckResult | None = None
    for batch in _batches(genuine, judged.titles, calls.choice.shown_characters):
        asked = {each["number"] for each in batch}
        result = await calls.answer(
            FACT_CHECKER,
            _asked(judged, proved, batch),
            FactCheckResult,
            enough=lambda told, asked=asked: asked <= {each.claim for each in told.verdicts},
        )
        verdicts += result.verdicts
        supported = {verdict.claim for verdict in result.verdicts if verdict.supported}
        proved += [(genuine[n].subtopic, genuine[n].claim) for n in supported & genuine.keys()]
    assert result  # noqa: S101 - there is at least one batch
    return _result(judged, result, _verdicts(by_code, verdicts))


def quotes_as_claims(judged: RoundToJudge) -> list[CheckedFinding]:
    """Whole sentences that were quoted on the topic, each as a claim that its quote is.

    None that gives orders, or that repeats what was claimed with it.
    """
    quoted: dict[str, CheckedFinding] = {}
    for finding in judged.findings:
        passage = finding.passage
        if passage is None or passage.is_cut or gives_orders(passage.quote):
            continue
        said = " ".join(passage.quote.split())
        if len(said) > LONGEST_CLAIM:
            continue
        on_topic = share_told(f"{judged.topic} {finding.subtopic}", said) >= ON_THE_TOPIC
        if on_topic and words(said) != words(finding.claim):
            quoted.setdefault(said, finding.model_copy(update={"claim": said}))
    return list(quoted.values())


def missing(notes: str) -> str:
    """Return what the model says is missing, without the sentences that code adds."""
    for sentence in _OUR_WORDS:
        notes = notes.replace(sentence, "")
    return notes.strip()


def nothing_found(found: Sequence[Findings]) -> str:
    """Return why a round brought no findings, as people are told."""
    if any(each.strays for each in found):
        return NO_SUCH_SOURCE
    if found and all(each.looked_up == [] for each in found):
        return NOT_LOOKED_UP
    return NO_FINDINGS


def _by_code(finding: CheckedFinding, judged: RoundToJudge) -> str:
    """Return why a finding is unsupported whatever a model says; empty if the model decides."""
    if not finding.found:
        return NOT_FOUND
    if not _is_statement(finding):
        return NO_STATEMENT
    return BESIDE_THE_POINT if _is_beside_the_point(finding, judged) else ""


def _is_beside_the_point(finding: CheckedFinding, judged: RoundToJudge) -> bool:
    """Return whether a quote has none of a claim's numbers and hardly any of its words.

    A number alone can be a sum, and words alone another language's.
    """
    told = _digits(finding.claim) - _digits(f"{judged.topic}\n\n{finding.subtopic}")
    if not told or told & _digits(finding.words):
        return False
    return share_told(finding.claim, finding.words) < HARDLY_TOLD


def _digits(text: str) -> set[str]:
    """Return the numbers of a text, however a language parts their thousands and decimals."""
    return {"".join(filter(str.isdigit, number)) for number in numbers(text)}


def _is_statement(finding: CheckedFinding) -> bool:
    """Return whether a text can be a claim; questions and headings can't."""
    said = words(finding.claim)
    asks = finding.claim.rstrip().endswith(("?", "\uff1f"))
    names_columns = "|" in finding.claim and not any(map(str.isdigit, finding.claim))
    return bool(said) and not asks and not names_columns and said != words(finding.subtopic)


def _refused(judged: RoundToJudge, by_code: Mapping[int, str]) -> FactCheckResult:
    found = any(finding.found for finding in judged.findings)
    notes = NONE_SUPPORTED if found else NO_QUOTES
    return FactCheckResult(
        approved=False,
        notes=notes if judged.findings else judged.nothing,
        verdicts=_verdicts(by_code, []),
    )


def _batches(
    genuine: Mapping[int, CheckedFinding], titles: Mapping[str, str], most: int
) -> Iterator[list[Mapping[str, object]]]:
    """Yield the claims to judge as the model sees them, as many as one request may show."""
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
    judged: RoundToJudge, proved: Sequence[tuple[str, str]], batch: Sequence[Mapping[str, object]]
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
        "before": passage.before_it if passage else "",
        "quote": passage.quote if passage else finding.quote,
        "after": passage.after_it if passage else "",
        "source_title": titles[finding.source],
    }


def _result(
    judged: RoundToJudge, said: FactCheckResult, verdicts: Sequence[Verdict]
) -> FactCheckResult:
    any_supported = bool(judged.proved) or any(verdict.supported for verdict in verdicts)
    ours = list(_our_notes(judged, said, any_supported=any_supported))
    return FactCheckResult(
        approved=any_supported and (said.approved or judged.last),
        notes=" ".join([*ours, said.notes]).strip()[:LONGEST_NOTES],
        again=[n for n in said.again if 1 <= n <= len(judged.subtopics)],
        verdicts=list(verdicts),
    )


def _our_notes(
    judged: RoundToJudge, said: FactCheckResult, *, any_supported: bool
) -> Iterator[str]:
    """Yield the notes on a round that the model doesn't make itself."""
    if not any_supported:
        yield NONE_SUPPORTED
    elif not said.approved:
        if judged.last:
            yield TOO_LITTLE
        if not judged.findings:
            yield NOTHING_MORE


def _verdicts(by_code: Mapping[int, str], judged: Sequence[Verdict]) -> list[Verdict]:
    by_number: dict[int, list[Verdict]] = {}
    for verdict in judged:
        by_number.setdefault(verdict.claim, []).append(verdict)
    return [
        _verdict(number, refusal, by_number.get(number, [])) for number, refusal in by_code.items()
    ]


def _verdict(number: int, refusal: str, judged: Sequence[Verdict]) -> Verdict:
    if not refusal and len({verdict.supported for verdict in judged}) == 1:
        return judged[0]
    return Verdict(claim=number, supported=False, note=refusal or NOT_JUDGED)
