"""A research request being worked on: from the request to a draft with its evidence."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from countersign.approvals.operation import Operation
from countersign.operations.steps import (
    PLAN,
    check_step,
    draft_step,
    findings_step,
    last_check,
    may_look_up,
    subtopic_of,
)
from countersign.operations.workshop import Workshop
from countersign.platform.threads import RESEARCH
from countersign.research.drafting import Wanted, drafted
from countersign.research.evidence import Evidence
from countersign.research.further_research import Further, look_into
from countersign.research.judging import added, earlier_on, in_doubt, judge
from countersign.research.report import ReportContent, read_report
from countersign.retrieval.choice import Choice
from countersign.retrieval.copies import Copies, Copy
from countersign.retrieval.kept import kept_library
from countersign.sources.library import Library
from countersign.team import researcher
from countersign.team.calls import Calls
from countersign.team.claims import merged
from countersign.team.colophon import colophon
from countersign.team.fact_checker import Round, nothing_found
from countersign.team.gaps import gaps
from countersign.team.models import CheckedFinding, Finding, Findings
from countersign.team.proofreader import Proofread
from countersign.team.report import to_markdown


@dataclass(frozen=True, kw_only=True, slots=True)
class Investigation:
    """Gives the team its work, with what the operation's earlier steps have made.

    Attributes:
        workshop: where the work is carried out and kept.
        choice: where research can look.
    """

    workshop: Workshop
    choice: Choice

    async def plan(self, operation: Operation) -> tuple[str, ...]:
        """Cut the topic into subtopics: the requester's, or those that the planner sees."""
        request = await self._request(operation)

        async def work(calls: Calls) -> list[str]:
            if request["subtopics"] and not request.get("addresses"):
                return request["subtopics"]
            # Pages are fetched here, once, before steps side by side would all do so.
            collection = await self.choice.collection(request, self._copies(operation))
            titles = await collection.titles()
            if request["subtopics"]:
                return request["subtopics"]
            planned = await researcher.plan(calls, topic=request["topic"], titles=titles)
            return planned.subtopics

        made_from = {"request": operation.request}
        return tuple(await self.workshop.make(operation, PLAN, made_from, work))

    async def research(self, operation: Operation, number: int, subtopic: int) -> None:
        """Find claims for one subtopic, heeding what became of those of earlier rounds."""
        request = await self._request(operation)
        topic, subtopics = request["topic"], operation.subtopics or ()
        before = await self._before(operation, number)
        earlier = earlier_on(subtopics[subtopic], before)

        async def work(calls: Calls) -> dict[str, Any]:
            collection = await self.choice.collection(request, self._copies(operation))
            found = await researcher.research(
                calls,
                topic=topic,
                subtopic=subtopics[subtopic],
                library=collection,
                earlier=earlier,
            )
            return {**found.model_dump(), **collection.record()}

        made_from = {
            "request": operation.request,
            "topic": topic,
            "subtopic": subtopics[subtopic],
            "notes": earlier.notes,
        }
        await self.workshop.make(operation, findings_step(number, subtopic), made_from, work)

    async def check(self, operation: Operation, number: int, *, last: bool) -> dict[str, Any]:
        """Judge what a round has found; quotes are looked up before any model.

        What earlier rounds have proved stands.

        Returns:
            `approved`, the `evidence`, and the subtopics to research `again`.
        """
        request = await self._request(operation)
        subtopics = operation.subtopics or ()
        steps = steps_of_round(operation, number)
        before = await self._before(operation, number)

        async def work(calls: Calls) -> dict[str, Any]:
            found = [(each, await self._found(operation, step)) for each, step in steps]
            proved = before.supported()
            new = merged(found, [claim.claim for claim in proved])
            library = await self.sources(operation, {finding.source for finding in new})
            asked = Round(
                topic=request["topic"],
                subtopics=subtopics,
                proved=[(claim.subtopic, claim.claim) for claim in proved],
                nothing=nothing_found([each for _, each in found]),
                last=last,
            )
            judged = await judge(calls, new, library, asked)
            evidence = added(before, judged.claims, judged.sources, judged.result.notes)
            evidence = evidence.also_unread(await self._unread(operation))
            return {
                "approved": judged.result.approved,
                "again": in_doubt(subtopics, evidence.claims, judged.result.again),
                "evidence": evidence.model_dump(mode="json"),
            }

        findings = [operation.work[step] for _, step in steps]
        made_from = {"request": operation.request, "findings": findings}
        return await self.workshop.make(operation, check_step(number), made_from, work)

    async def write(self, operation: Operation, version: int) -> None:
        """Write a version of the report from what the last check supports.

        The library is asked again only if a reviewer wants facts that no claim has. What is quoted,
        and from where, is known since it was checked.
        """
        request = await self._request(operation)
        check = last_check(operation.work) or check_step(0)
        previous, comment = await self._asked_for(operation, version)
        known = await self._known(operation, version)
        wanted = Wanted(topic=request["topic"], previous=previous, comment=comment)

        async def work(calls: Calls) -> dict[str, Any]:
            further, record = Further(evidence=known), {}
            if comment:
                collection = await self.choice.collection(request, self._copies(operation))
                further = await look_into(
                    calls,
                    topic=wanted.topic,
                    comment=comment,
                    evidence=known,
                    collection=collection,
                )
                record = collection.record()
            read = await drafted(calls, wanted, further.evidence)
            return {**await self._stored(operation, wanted.topic, read, further), **record}

        made_from = {"check": operation.work[check], "previous": previous, "comment": comment}
        await self.workshop.make(operation, draft_step(version), made_from, work)

    async def sources(self, operation: Operation, only: Collection[str] | None = None) -> Library:
        """What this operation's work has read: its copies, and behind them what is at hand.

        Args:
            operation: whose work.
            only: the ids of the sources that are needed; None for all.
        """
        request, copies = await self._request(operation), self._copies(operation)
        shown = [
            copy
            for made in await self._researched(operation)
            for copy in map(Copy.model_validate, made.get("sources", ()))
            if only is None or copy.id in only
        ]
        return await kept_library(shown, copies, await self.choice.at_hand(request))

    async def _stored(
        self, operation: Operation, topic: str, read: Proofread, further: Further
    ) -> dict[str, str]:
        """Store a draft's text and evidence; returns the references of both."""
        report, evidence = read.draft.report, further.evidence
        findings = [claim.finding() for claim in evidence.supported()]
        missing = await self._gaps(operation, topic, findings)
        text = await RESEARCH.run(
            to_markdown, report, findings, evidence, colophon(self.workshop.model), missing
        )
        note = f"{report.note} {further.note}".strip()
        content = ReportContent(title=report.title, text=text)
        about = evidence.of_draft(read, missing, revision=note)
        put = self.workshop.artifacts.put
        return {
            "content": await put(operation.tenant, content.stored()),
            "evidence": await put(operation.tenant, about.stored()),
        }

    async def _request(self, operation: Operation) -> dict[str, Any]:
        return json.loads(await self.workshop.artifacts.get(operation.tenant, operation.request))

    def _copies(self, operation: Operation) -> Copies:
        return Copies(self.workshop.artifacts, operation.tenant, operation.id)

    async def _researched(self, operation: Operation) -> list[dict[str, Any]]:
        """What every step that may have looked something up has made so far."""
        steps = filter(may_look_up, operation.work)
        return [await self.workshop.result(operation, step) for step in steps]

    async def _unread(self, operation: Operation) -> list[str]:
        made = await self._researched(operation)
        return [line for each in made for line in each.get("unread", ())]

    async def _before(self, operation: Operation, number: int) -> Evidence:
        """What the round before has made known; nothing before the first."""
        if number == 0:
            return Evidence(notes="", claims=[], sources=[])
        judged = await self.workshop.result(operation, check_step(number - 1))
        return Evidence.model_validate(judged["evidence"])

    async def _known(self, operation: Operation, version: int) -> Evidence:
        """What the version before rests on; before the first, what the last check says."""
        before = operation.proposal(version - 1)
        if before and before.evidence:
            stored = await self.workshop.artifacts.get(operation.tenant, before.evidence)
            evidence = Evidence.model_validate_json(stored)
            return evidence.model_copy(update={"own_text": False, "revision": ""})
        check = last_check(operation.work) or check_step(0)
        judged = await self.workshop.result(operation, check)
        return Evidence.model_validate(judged["evidence"])

    async def _found(self, operation: Operation, step: str) -> Findings:
        made = await self.workshop.result(operation, step)
        said = {name: value for name, value in made.items() if name in Findings.model_fields}
        return Findings.model_validate(said)

    async def _gaps(
        self, operation: Operation, topic: str, findings: Sequence[CheckedFinding]
    ) -> list[str]:
        """What the report says of subtopics that nothing supported was found on, in any round."""
        subtopics = operation.subtopics or ()
        found: list[tuple[str, list[Finding]]] = []
        for subtopic in subtopics:
            steps = [step for step in operation.work if subtopic_of(step, subtopics) == subtopic]
            made = [await self._found(operation, step) for step in steps]
            found.append((subtopic, [finding for each in made for finding in each.findings]))
        return await RESEARCH.run(gaps, found, findings, topic=topic)

    async def _asked_for(self, operation: Operation, version: int) -> tuple[str | None, str | None]:
        """The text that a reviewer sent back and what they want changed; None for a first draft."""
        before = operation.proposal(version - 1)
        if before is None:
            return None, None
        content = await read_report(self.workshop.artifacts, operation.tenant, before.content)
        return content.text, before.decisions[-1][1].comment


def steps_of_round(operation: Operation, number: int) -> list[tuple[str, str]]:
    """The subtopics that a round has researched, each with its step, in the order of the plan."""
    steps = (
        (subtopic, findings_step(number, place))
        for place, subtopic in enumerate(operation.subtopics or ())
    )
    return [(subtopic, step) for subtopic, step in steps if step in operation.work]
