"""From findings to evidence: what the fact-checker says of them, round after round."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from countersign.platform.threads import RESEARCH
from countersign.reports.evidence import Claim, Evidence, SourceNote
from countersign.sources.library import Library, UnknownSource
from countersign.team import fact_checker
from countersign.team.calls import Calls
from countersign.team.claims import near_duplicates
from countersign.team.context import sentence_of
from countersign.team.doubts import OFF_THE_SUBTOPIC, OTHER_AMOUNT, marks_of, other_amount
from countersign.team.fact_checker import RoundToJudge, missing
from countersign.team.meant import Passages
from countersign.team.models import CheckedFinding, FactCheckResult, SubtopicFinding, Verdict
from countersign.team.questions import Shown
from countersign.team.quotes import checked
from countersign.team.researcher import Earlier


def earlier_on(subtopic: str, before: Evidence, library: Library) -> Earlier:
    """Return what the researcher of a subtopic learns about earlier rounds.

    Args:
        subtopic: what is researched.
        before: what those rounds have made known.
        library: where their quotes were looked up.
    """
    claims = [claim for claim in before.claims if claim.subtopic == subtopic]
    return Earlier(
        proved=[claim.claim for claim in claims if claim.supported],
        failed=[_failed(claim, library) for claim in claims if not claim.supported],
        notes=missing(before.notes),
    )


def _failed(claim: Claim, library: Library) -> dict[str, str]:
    """Return a failed claim and its source's words; small models copy a quote that they see."""
    told = {"claim": claim.claim, "reason": claim.note}
    passage = sentence_of(claim.passage) if claim.passage else _nearest(claim, library)
    return {**told, "source": claim.source, "passage": passage} if passage else told


def _nearest(claim: Claim, library: Library) -> str:
    try:
        text = library.text(claim.source)
    except UnknownSource:
        return ""
    nearest = Passages([Shown(claim.source, "", text)]).nearest(f"{claim.claim} {claim.quote}")
    return " ".join(nearest.text.split()) if nearest else ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Judgement:
    """What became of new findings.

    Attributes:
        claims: each of them, with what the fact-checker says of it.
        sources: those that their genuine quotes are from.
        result: what the fact-checker says of all of them.
    """

    claims: list[Claim]
    sources: list[SourceNote]
    result: FactCheckResult


async def judge(
    calls: Calls, new: Sequence[SubtopicFinding], library: Library, asked: RoundToJudge
) -> Judgement:
    """Judge findings; their quotes are looked up before any model is asked.

    Where nothing is proved and no claim is supported by its quote, the quotes that are on the topic
    are judged as claims: what a source says can be reported in its own words.

    Args:
        calls: makes the calls.
        new: what was found, without what repeats itself.
        library: where the quotes are looked up.
        asked: what the findings are judged for, still without them.

    Raises:
        TeamError: it can't be done.
        SourceError: the library can't be read.
    """
    findings = await RESEARCH.run(checked, new, library)
    sources = await RESEARCH.run(sources_of, findings, library)
    titles = {source.id: source.title for source in sources}
    asked = replace(asked, findings=findings, titles=titles)
    result = await fact_checker.check(calls, asked)
    others = await RESEARCH.run(_other_amounts, asked, library)
    claims = judged_claims(findings, result, others)
    nothing_proved = not asked.proved and not any(claim.supported for claim in claims)
    quoted = await RESEARCH.run(fact_checker.quotes_as_claims, asked) if nothing_proved else []
    if quoted:
        asked = replace(asked, findings=quoted)
        result = await fact_checker.check(calls, asked)
        others = await RESEARCH.run(_other_amounts, asked, library)
        claims += judged_claims(quoted, result, others)
    return Judgement(claims=claims, sources=sources, result=result)


def judged_claims(
    findings: Sequence[CheckedFinding], judged: FactCheckResult, others: Sequence[str] = ()
) -> list[Claim]:
    """Return the findings with what the fact-checker says of each, and code.

    Args:
        findings: what was judged.
        judged: a verdict on each.
        others: for each, what the question asks the amount of, if the claim has another amount.
    """
    return [
        Claim(
            **finding.model_dump(),
            supported=verdict.supported,
            answers=verdict.answers and not other,
            note=verdict.note,
            marks=[*marks_of(finding), *(_off(verdict, other) if verdict.supported else ())],
        )
        for finding, verdict, other in zip(
            findings, judged.verdicts, others or [""] * len(findings), strict=True
        )
    ]


def _off(verdict: Verdict, other: str) -> Iterator[str]:
    """Why a supported claim is none that was asked for."""
    if not verdict.answers:
        yield OFF_THE_SUBTOPIC
    if other:
        yield OTHER_AMOUNT.format(other)


def _other_amounts(asked: RoundToJudge, library: Library) -> list[str]:
    """For each finding what was asked the amount of, if it has another amount."""
    return [
        other_amount(
            f"{each.subtopic}\n{asked.topic}",
            each,
            asked.titles[each.source],
            library.text(each.source),
        )
        if each.found
        else ""
        for each in asked.findings
    ]


def added(
    before: Evidence, claims: Sequence[Claim], sources: Sequence[SourceNote], notes: str
) -> Evidence:
    """Return the evidence with another round, whose claims replace those that failed."""
    kept = [
        claim
        for claim in before.claims
        if claim.supported or not any(near_duplicates(claim.claim, new.claim) for new in claims)
    ]
    known = {source.id: source for source in (*sources, *before.sources)}
    changes = {"notes": notes, "claims": [*kept, *claims], "sources": list(known.values())}
    return before.model_copy(update=changes)


def in_doubt(subtopics: Sequence[str], claims: Sequence[Claim], wanted: Sequence[int]) -> list[int]:
    """Return the subtopics (from 0) that another round should research.

    Args:
        subtopics: all that are planned.
        claims: what is known by now.
        wanted: those (from 1) of which the fact-checker wants more.
    """
    sound = {claim.subtopic for claim in claims if claim.supported and claim.answers}
    lacking = {number for number, subtopic in enumerate(subtopics) if subtopic not in sound}
    again = lacking | {number - 1 for number in wanted if 1 <= number <= len(subtopics)}
    return sorted(again) or list(range(len(subtopics)))


def sources_of(findings: Sequence[CheckedFinding], library: Library) -> list[SourceNote]:
    """Return notes on the sources of the findings whose quotes were found."""
    ids = dict.fromkeys(finding.source for finding in findings if finding.found)
    sources = [library.source(each) for each in ids]
    return [SourceNote.of(each) for each in sources]
