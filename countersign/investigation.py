"""A research request being worked on: from the request to a draft with its evidence."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from countersign.approvals.operation import Operation
from countersign.content import ReportContent, read_report
from countersign.evidence import Claim, Evidence, SourceNote
from countersign.sources.documents import DocumentLibrary
from countersign.sources.library import Library
from countersign.steps import PLAN, check_step, draft_step, findings_step, last_check
from countersign.team import fact_checker, researcher, writer
from countersign.team.answers import ChatClient
from countersign.team.budget import TokenBudget
from countersign.team.chat import ModelChoice, TokenProvider, chat_client, honesty
from countersign.team.claims import merged
from countersign.team.models import CheckedFinding, Findings
from countersign.team.quotes import checked
from countersign.team.report import to_markdown
from countersign.threads import RESEARCH
from countersign.workshop import Workshop


@dataclass(frozen=True, kw_only=True, slots=True)
class Investigation:
    """Gives the team its work, with what the operation's earlier steps have made.

    Attributes:
        workshop: where the work is carried out and kept.
        library: what is read where a request brings no documents.
        model: which model works.
        token: what a model on Azure is asked with if it has no key.
    """

    workshop: Workshop
    library: Library
    model: ModelChoice
    token: TokenProvider | None = None

    async def plan(self, operation: Operation) -> tuple[str, ...]:
        """Cut the topic into subtopics: the requester's, or those that the planner sees."""
        request = await self._request(operation)

        async def work(budget: TokenBudget) -> list[str]:
            if request["subtopics"]:
                return request["subtopics"]
            library = await self._library(request)
            planned = await researcher.plan(
                await self.client(),
                topic=request["topic"],
                titles=await RESEARCH.run(library.titles),
                budget=budget,
            )
            return planned.subtopics

        made_from = {"request": operation.request}
        return tuple(await self.workshop.make(operation, PLAN, made_from, work))

    async def research(self, operation: Operation, number: int, subtopic: int) -> None:
        """Find claims for one subtopic, heeding what the last check missed."""
        request = await self._request(operation)
        subtopics = operation.subtopics or ()
        asked = {
            "topic": request["topic"],
            "subtopic": subtopics[subtopic],
            "notes": await self._notes(operation, number),
        }

        async def work(budget: TokenBudget) -> dict[str, Any]:
            library, client = await self._library(request), await self.client()
            found = await researcher.research(client, **asked, library=library, budget=budget)
            return found.model_dump()

        made_from = {"request": operation.request, **asked}
        await self.workshop.make(operation, findings_step(number, subtopic), made_from, work)

    async def check(self, operation: Operation, number: int) -> dict[str, Any]:
        """Judge the newest findings of every subtopic; quotes are looked up before any model.

        Returns:
            `approved`, the `evidence`, and the subtopics to research `again`.
        """
        request = await self._request(operation)
        steps = newest_findings(operation, number)

        async def work(budget: TokenBudget) -> dict[str, Any]:
            library = await self._library(request)
            found = merged(await self._found(operation, steps))
            findings = await RESEARCH.run(checked, found, library)
            sources = await RESEARCH.run(sources_of, findings, library)
            judged = await fact_checker.check(
                await self.client(),
                topic=request["topic"],
                findings=findings,
                titles={source.id: source.title for source in sources},
                budget=budget,
            )
            claims = [
                Claim(**finding.model_dump(), supported=verdict.supported, note=verdict.note)
                for finding, verdict in zip(findings, judged.verdicts, strict=True)
            ]
            evidence = Evidence(notes=judged.notes, claims=claims, sources=sources)
            return {
                "approved": judged.approved,
                "again": in_doubt(operation, claims),
                "evidence": evidence.model_dump(mode="json"),
            }

        findings = [operation.work[step] for step in steps]
        made_from = {"request": operation.request, "findings": findings}
        return await self.workshop.make(operation, check_step(number), made_from, work)

    async def write(self, operation: Operation, version: int) -> None:
        """Write a version of the report from what the last check supports.

        The library is not asked again: what is quoted, and from where, is known since the check.
        """
        request = await self._request(operation)
        check = last_check(operation.work) or check_step(0)
        judged = await self.workshop.result(operation, check)
        evidence = Evidence.model_validate(judged["evidence"])
        previous, comment = await self._asked_for(operation, version)

        async def work(budget: TokenBudget) -> dict[str, str]:
            findings = [claim.finding() for claim in evidence.supported()]
            report = await writer.write(
                await self.client(),
                topic=request["topic"],
                findings=findings,
                library=evidence,
                budget=budget,
                previous=previous,
                comment=comment,
            )
            text = await RESEARCH.run(to_markdown, report, findings, evidence, honesty(self.model))
            put = self.workshop.artifacts.put
            content = ReportContent(title=report.title, text=text).stored()
            about = await RESEARCH.run(evidence.about, text, revision=report.note)
            return {
                "content": await put(operation.tenant, content),
                "evidence": await put(operation.tenant, about.stored()),
            }

        made_from = {"check": operation.work[check], "previous": previous, "comment": comment}
        await self.workshop.make(operation, draft_step(version), made_from, work)

    async def sources(self, operation: Operation) -> Library:
        """Where this operation's work reads: the documents that came with it, or the library."""
        return await self._library(await self._request(operation))

    async def client(self) -> ChatClient:
        """A client of the model, for one step; the first in a process loads its SDK."""
        return await RESEARCH.run(chat_client, self.model, self.token)

    async def _request(self, operation: Operation) -> dict[str, Any]:
        return json.loads(await self.workshop.artifacts.get(operation.tenant, operation.request))

    async def _library(self, request: dict[str, Any]) -> Library:
        documents = request["documents"]
        return await RESEARCH.run(DocumentLibrary, documents) if documents else self.library

    async def _notes(self, operation: Operation, number: int) -> str:
        if number == 0:
            return ""
        judged = await self.workshop.result(operation, check_step(number - 1))
        return judged["evidence"]["notes"]

    async def _found(
        self, operation: Operation, steps: Sequence[str]
    ) -> list[tuple[str, Findings]]:
        made = [await self.workshop.result(operation, step) for step in steps]
        found = [Findings.model_validate(each) for each in made]
        return list(zip(operation.subtopics or (), found, strict=True))

    async def _asked_for(self, operation: Operation, version: int) -> tuple[str | None, str | None]:
        """The text that a reviewer sent back and what they want changed; None for a first draft."""
        before = operation.proposal(version - 1)
        if before is None:
            return None, None
        content = await read_report(self.workshop.artifacts, operation.tenant, before.content)
        return content.text, before.decisions[-1][1].comment


def newest_findings(operation: Operation, number: int) -> list[str]:
    """For each subtopic the step, of the rounds up to `number`, that researched it last."""
    rounds = range(number, -1, -1)
    return [
        next(
            step
            for step in (findings_step(each, subtopic) for each in rounds)
            if step in operation.work
        )
        for subtopic in range(len(operation.subtopics or ()))
    ]


def in_doubt(operation: Operation, claims: Sequence[Claim]) -> list[int]:
    """The subtopics (from 0) that another round should research: all that lack a sound claim."""
    subtopics = operation.subtopics or ()
    sound = {claim.subtopic for claim in claims if claim.supported}
    lacking = [number for number, subtopic in enumerate(subtopics) if subtopic not in sound]
    return lacking or list(range(len(subtopics)))


def sources_of(findings: Sequence[CheckedFinding], library: Library) -> list[SourceNote]:
    """What there is to know about the sources of the findings whose quotes were found."""
    ids = dict.fromkeys(finding.source for finding in findings if finding.found)
    sources = [library.source(each) for each in ids]
    return [SourceNote(id=each.id, title=each.title, url=each.url) for each in sources]
