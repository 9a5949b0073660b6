"""The team's work as every engine drives it: each step is done once and can be asked for again.

The first result of a step is kept in the ledger and answered with again. A repeat after a crash
before that finds what models have replied, and asks none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

from countersign.approvals import rules
from countersign.approvals.holding import fail_revision
from countersign.approvals.operation import Operation
from countersign.operations.attempts import Attempts, Step, is_final, sentence
from countersign.operations.opening import opening
from countersign.operations.refusals import stopped_by
from countersign.operations.repository import Changed
from countersign.operations.rule import Rule
from countersign.operations.workshop import Workshop
from countersign.platform.threads import RESEARCH
from countersign.reports.comments import answers_in
from countersign.reports.evidence import Evidence
from countersign.reports.report import ReportContent
from countersign.reports.report_bodies import ReportRequestBody
from countersign.research.drafting import Assignment, Further, drafted, look_into
from countersign.research.judging import added, earlier_on, in_doubt, judge
from countersign.research.material import Material
from countersign.retrieval.choice import Choice
from countersign.retrieval.errors import NothingLookedUp
from countersign.steps.names import PLAN, check_step, draft_step, findings_step
from countersign.steps.records import (
    AsPlanned,
    Checked,
    CheckWork,
    Done,
    Planned,
    Stop,
    SubtopicWork,
    VersionWork,
    Wait,
    Work,
)
from countersign.team import researcher
from countersign.team.calls import Calls
from countersign.team.claims import merged
from countersign.team.colophon import colophon
from countersign.team.errors import TeamError
from countersign.team.fact_checker import RoundToJudge, nothing_found
from countersign.team.proofreader import Proofread
from countersign.team.report import gaps, titled, to_markdown
from countersign.team.researcher import NOTHING_EARLIER, Earlier

MOST_UNREAD_TOLD = 5
"""Sources that could not be read, in the reason why there is no report."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Teamwork:
    """Has the team plan, research, check and write.

    Each of these says that the work waits for an operator, or why the operation ends, where it
    isn't done.

    Attributes:
        attempts: makes sure that a step is wanted, and records if it fails.
        workshop: where the work is carried out and kept.
        choice: where research can look.
    """

    attempts: Attempts
    workshop: Workshop
    choice: Choice

    async def plan(self, work: Work) -> Planned | Wait | Stop:
        """Cut the topic into subtopics: the requester's, or those that the planner sees."""
        return await self._attempt(work, PLAN, self._plan)

    async def research(self, work: SubtopicWork) -> Done | Wait | Stop:
        """Find claims with their quotes, heeding what became of those of earlier rounds."""
        step = findings_step(work.round, work.subtopic)
        return await self._attempt(work, step, lambda operation: self._research(operation, work))

    async def check(self, work: CheckWork) -> Checked | Wait | Stop:
        """Judge what a round has found; the operation ends if the last one is not good enough."""
        step = check_step(work.round)
        return await self._attempt(work, step, lambda operation: self._check(operation, work))

    async def write(self, work: VersionWork) -> Done | Wait | Stop:
        """Write a version, unless it has a text already.

        A revision that can't be made leaves the text as it is: that is the next version then.
        """
        step = draft_step(work.version)
        return await self._attempt(work, step, lambda operation: self._write(operation, work))

    async def _attempt(
        self, work: Work, name: str, step: Step[AsPlanned]
    ) -> AsPlanned | Wait | Stop:
        async def told(operation: Operation) -> AsPlanned | Stop:
            async with self.workshop.seen(operation, name):
                return await step(operation)

        return await self.attempts.at(work, name, told)

    async def _plan(self, operation: Operation) -> Planned | Stop:
        if operation.subtopics is not None:
            return Planned(subtopics=len(operation.subtopics))
        material = self._material(operation)
        work = partial(_subtopics, material, await material.request())
        made = await self.workshop.make(operation, PLAN, work, _planning)
        operations = self.workshop.operations
        known = operations.known(operation.tenant, operation.id)
        if known and known.subtopics is not None:
            return Planned(subtopics=len(known.subtopics))
        # Earlier releases recorded that there is a plan before they recorded the plan.
        changed = await operations.change(operation.tenant, operation.id, _planned(made))
        if not isinstance(changed, Changed):
            return stopped_by(changed)
        return Planned(subtopics=len(changed.operation.subtopics or ()))

    async def _research(self, operation: Operation, asked: SubtopicWork) -> Done:
        material = self._material(operation)
        request = await material.request()
        subtopic = (operation.subtopics or ())[asked.subtopic]
        earlier = await self._earlier(material, subtopic, asked.round)
        work = partial(_findings, material, request, subtopic, earlier)
        await self.workshop.make(operation, findings_step(asked.round, asked.subtopic), work)
        return Done()

    async def _earlier(self, material: Material, subtopic: str, round: int) -> Earlier:
        if round == 0:
            return NOTHING_EARLIER
        before = await material.known_before(round)
        library = await material.sources({claim.source for claim in before.claims})
        return await RESEARCH.run(earlier_on, subtopic, before, library)

    async def _check(self, operation: Operation, asked: CheckWork) -> Checked | Stop:
        material = self._material(operation)
        work = partial(_judged, material, (await material.request()).topic, asked)
        judged = await self.workshop.make(operation, check_step(asked.round), work)
        if asked.last and not judged["approved"]:
            return Stop(ends_as="needs_revision", reason=_lacking(judged["evidence"]))
        return Checked(approved=judged["approved"], again=judged["again"])

    async def _write(self, operation: Operation, asked: VersionWork) -> Done | Stop:
        if _has_text(operation, asked.version):
            return Done()
        try:
            await self._draft(self._material(operation), asked.version)
        except (TeamError, NothingLookedUp) as error:
            if asked.version == 1 or not is_final(error):
                raise
            return await self._leave_unrevised(operation, asked.version - 1, sentence(error))
        return Done()

    async def _draft(self, material: Material, version: int) -> None:
        """Write a version from what the last check supports, and offer it.

        The library is asked again only if a reviewer wants facts that no claim has. What is quoted,
        and from where, is known since it was checked.
        """
        operation, wanted = material.operation, await material.assignment(version)
        known = await material.known_for(version)

        async def work(calls: Calls) -> dict[str, Any]:
            further, record = await _looked_into(material, wanted, known, calls)
            read = await drafted(calls, wanted, further.evidence)
            return {**await self._stored(material, wanted, read, further), **record}

        async def then(made: Mapping[str, Any]) -> Rule:
            return await opening(self.workshop.artifacts, operation, version, made)

        await self.workshop.make(operation, draft_step(version), work, then)

    async def _stored(
        self, material: Material, wanted: Assignment, read: Proofread, further: Further
    ) -> dict[str, Any]:
        """Store a draft's text and evidence; returns both references, and the evidence's count."""
        evidence = further.evidence
        written = read.draft.report
        title = titled(written.title, wanted.topic)
        report = written.model_copy(update={"title": title})
        findings = [claim.finding() for claim in evidence.supported()]
        missing = await RESEARCH.run(gaps, await material.found(), findings, topic=wanted.topic)
        text = await RESEARCH.run(
            to_markdown, report, findings, evidence, colophon(self.workshop.model), missing
        )
        note = f"{report.note} {further.note}".strip()
        content = ReportContent(title=written.title, text=text)
        answers = answers_in(report, wanted.wish.remarks if wanted.wish else ())
        about = evidence.of_draft(read, missing, revision=note, answers=answers)
        put, shelf = self.workshop.artifacts.put, material.operation.shelf
        return {
            "content": await put(shelf, content.stored()),
            "evidence": await put(shelf, about.stored()),
            "evidence_count": asdict(about.count()),
        }

    async def _leave_unrevised(
        self, operation: Operation, version: int, reason: str
    ) -> Done | Stop:
        changed = await self.workshop.operations.change(
            operation.tenant,
            operation.id,
            lambda state, now: fail_revision(state, version, reason, now),
        )
        return Done() if isinstance(changed, Changed) else stopped_by(changed)

    def _material(self, operation: Operation) -> Material:
        return Material(self.workshop, self.choice, operation)


def _planned(subtopics: Sequence[str]) -> Rule:
    return lambda state, now: rules.plan_work(state, tuple(subtopics), now)


async def _planning(subtopics: Sequence[str]) -> Rule:
    return _planned(subtopics)


async def _subtopics(material: Material, request: ReportRequestBody, calls: Calls) -> list[str]:
    if request.subtopics and not request.addresses:
        return request.subtopics
    # Pages are fetched here, once, before steps side by side would all do so.
    titles = await (await material.collection(request)).titles()
    if request.subtopics:
        return request.subtopics
    return (await researcher.plan(calls, topic=request.topic, titles=titles)).subtopics


async def _findings(
    material: Material, request: ReportRequestBody, subtopic: str, earlier: Earlier, calls: Calls
) -> dict[str, Any]:
    library = await material.collection(request)
    found = await researcher.research(
        calls, topic=request.topic, subtopic=subtopic, library=library, earlier=earlier
    )
    return {**found.model_dump(), **library.record()}


async def _judged(material: Material, topic: str, asked: CheckWork, calls: Calls) -> dict[str, Any]:
    """Judge what a round has found; quotes are looked up before any model.

    What earlier rounds have proved stands.
    """
    subtopics = material.operation.subtopics or ()
    before = await material.known_before(asked.round)
    found, proved = await material.found_in(asked.round), before.supported()
    new = merged(found, [claim.claim for claim in proved])
    library = await material.sources({finding.source for finding in new})
    round = RoundToJudge(
        topic=topic,
        subtopics=subtopics,
        proved=[(claim.subtopic, claim.claim) for claim in proved],
        nothing=nothing_found([each for _, each in found]),
        last=asked.last,
    )
    judged = await judge(calls, new, library, round)
    evidence = added(before, judged.claims, judged.sources, judged.result.notes)
    evidence = evidence.also_unread(await material.unread())
    return {
        "approved": judged.result.approved,
        "again": in_doubt(subtopics, evidence.claims, judged.result.again),
        "evidence": evidence.model_dump(mode="json"),
    }


async def _looked_into(
    material: Material, wanted: Assignment, known: Evidence, calls: Calls
) -> tuple[Further, dict[str, Any]]:
    """Look up what a reviewer wants; returns what is known then, and the record of the search."""
    if wanted.wish is None:
        return Further(evidence=known), {}
    collection = await material.collection(await material.request())
    further = await look_into(
        calls,
        topic=wanted.topic,
        comment=wanted.wish.in_words,
        evidence=known,
        collection=collection,
    )
    return further, collection.record()


def _has_text(operation: Operation, version: int) -> bool:
    """Return whether a version is open, repeats the one before it, or is a reviewer's own text."""
    if operation.proposal(version) or operation.unrevised:
        return True
    before = operation.proposal(version - 1)
    return before is not None and (before.status == "expired" or before.correction is not None)


def _lacking(evidence: Mapping[str, Any]) -> str:
    """Return why there is no report; what could not be read may be where it stands."""
    unread = [f"{line}." for line in evidence.get("unread", ())[:MOST_UNREAD_TOLD]]
    return " ".join([evidence["notes"], *(["Could not be read:", *unread] if unread else [])])
