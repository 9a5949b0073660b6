"""A reviewer's own text, checked before it is offered: advice, which decides nothing.

What the text shares with what the team wrote was checked when that was written. All else is
compared with the sources by code, and then judged by the fact-checker.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from countersign.approvals.operation import Operation, Proposal
from countersign.operations.repository import NotWanted
from countersign.platform.threads import PAGES
from countersign.reports.evidence import Evidence, SourceNote, read_evidence
from countersign.reports.report import read_report
from countersign.research.material import Material
from countersign.review.prose import prose
from countersign.steps.names import own_text_step
from countersign.team.calls import Calls
from countersign.team.errors import BudgetSpent, ModelUnavailable, TeamError
from countersign.team.folded import FoldedText
from countersign.team.own_text import CheckedLine, OwnLine, compare, judge, lines_in
from countersign.team.questions import Shown

MOST_LINES = 60
"""Lines of a text that one check looks at."""

PATIENCE_SECONDS = 100.0
"""How long a check waits for the fact-checker; the gateway of Azure Functions waits 230 seconds."""

BUSY = "The fact-checker can't be reached at the moment. Check the text again later."
READING = "The fact-checker is still reading. Check the text again in a minute."
ENDED = "The operation ended meanwhile, so the fact-checker was not asked."
SHARE = "Questions and checks may use only a part of an operation's tokens."

_reading: set[asyncio.Task[tuple[Sequence[CheckedLine], str]]] = set()
"""What goes on after nobody waits any more: the loop itself holds no task."""


@dataclass(frozen=True, kw_only=True, slots=True)
class CheckedText:
    """What a check says of a text.

    Attributes:
        lines: the sentences and quotes that the team's text doesn't have, in order.
        sources: those that are named beside them.
        gone: quotes of the version that the text doesn't have any more.
        unchanged: how many sentences and quotes it shares with the team's text.
        left: how many were too many to be looked at.
        note: why the fact-checker has not judged the sentences; empty if it has.
    """

    lines: Sequence[CheckedLine]
    sources: Sequence[SourceNote]
    gone: Sequence[str]
    unchanged: int
    left: int
    note: str


async def check_own_text(material: Material, proposal: Proposal, text: str) -> CheckedText:
    """Check a text that a reviewer would have instead of a version.

    Args:
        material: of the operation.
        proposal: the version, which has evidence.
        text: the reviewer's, in Markdown.

    Raises:
        SourceError: the sources can't be read.
        ArtifactError: something that the version rests on is missing or damaged.
    """
    operation, artifacts = material.operation, material.workshop.artifacts
    assert proposal.evidence is not None  # noqa: S101 - a team's work has evidence
    evidence = await read_evidence(artifacts, operation.shelf, proposal.evidence)
    new, unchanged = await PAGES.run(_apart, text, await _written(material, proposal))
    library = await material.sources()
    compared = await compare(new[:MOST_LINES], library, _known(evidence), operation.title)
    lines, note = await _judged(material, proposal.version, compared)
    named = dict.fromkeys(line.finding.source for line in lines if line.finding)
    return CheckedText(
        lines=lines,
        sources=[SourceNote.of(library.source(each)) for each in named],
        gone=await PAGES.run(_gone, evidence, text),
        unchanged=unchanged,
        left=max(0, len(new) - MOST_LINES),
        note=note,
    )


async def _judged(
    material: Material, version: int, compared: Sequence[CheckedLine]
) -> tuple[Sequence[CheckedLine], str]:
    """Return the lines with the fact-checker's verdicts, or as they are and why it has none."""
    task = asyncio.create_task(_verdicts(material, version, compared))
    _reading.add(task)
    task.add_done_callback(_reading.discard)
    done, _ = await asyncio.wait({task}, timeout=PATIENCE_SECONDS)
    return task.result() if done else (compared, READING)


async def _verdicts(
    material: Material, version: int, compared: Sequence[CheckedLine]
) -> tuple[Sequence[CheckedLine], str]:
    # It catches what is to be expected itself: when it ends, nobody may be waiting any more.
    try:
        reference = await _keep(material, version, compared)
    except ModelUnavailable:
        return compared, BUSY
    except BudgetSpent as error:
        return compared, f"The fact-checker can't read this: {error}. {SHARE}"
    except TeamError as error:
        return compared, f"The fact-checker can't read this: {error}."
    except NotWanted:
        return compared, ENDED
    shelf = material.operation.shelf
    kept = json.loads(await material.workshop.artifacts.get(shelf, reference))
    return [CheckedLine.model_validate(each) for each in kept], ""


async def _keep(material: Material, version: int, compared: Sequence[CheckedLine]) -> str:
    """Have the fact-checker judge some lines, unless it did before; where that is stored."""
    operation = material.operation

    async def work(calls: Calls) -> list[dict[str, Any]]:
        library = await material.sources()
        judged = await judge(calls, compared, library, operation.title)
        return [each.model_dump(mode="json") for each in judged]

    made_from = {"lines": [each.model_dump(mode="json") for each in compared]}
    return await material.workshop.keep(operation, own_text_step(version), made_from, work)


async def _written(material: Material, proposal: Proposal) -> str:
    """Return the newest text, up to a version, that the team wrote."""
    operation, artifacts = material.operation, material.workshop.artifacts
    for each in _versions_before(operation, proposal):
        if each.evidence is None:
            continue
        evidence = await read_evidence(artifacts, operation.shelf, each.evidence)
        if not evidence.own_text:
            return (await read_report(artifacts, operation.shelf, each.content)).text
    return ""


def _versions_before(operation: Operation, proposal: Proposal) -> Sequence[Proposal]:
    return operation.proposals[proposal.version - 1 :: -1]


def _apart(text: str, written: str) -> tuple[list[OwnLine], int]:
    """Return the lines of a text that the team's doesn't have, each once, and how many it has."""
    known, own = set(_lines(written)), _lines(text)
    new = dict.fromkeys(line for line in own if line not in known)
    return list(new), sum(line in known for line in own)


def _lines(text: str) -> list[OwnLine]:
    return [
        line
        for block in prose(text)
        for line in lines_in(block.text, quotation=block.kind == "quotation")
    ]


def _known(evidence: Evidence) -> list[Shown]:
    titles = {source.id: source.title for source in evidence.sources}
    supported = (claim for claim in evidence.supported() if claim.found)
    return [Shown(claim.source, titles.get(claim.source, ""), claim.words) for claim in supported]


def _gone(evidence: Evidence, text: str) -> list[str]:
    folded = FoldedText(text)
    used = (claim.words for claim in evidence.claims if claim.used and claim.found)
    return list(dict.fromkeys(words for words in used if not folded.has(words)))
