"""A research request being worked on: from the request to a draft with its evidence."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from countersign.approvals.digest import canonical
from countersign.approvals.operation import Operation
from countersign.content import ReportContent
from countersign.evidence import Claim, Evidence, SourceNote
from countersign.sources.documents import DocumentLibrary
from countersign.sources.library import Library
from countersign.stores.artifacts import Artifacts
from countersign.summary import FIRST_ROUND
from countersign.team import fact_checker, researcher, writer
from countersign.team.budget import TokenBudget
from countersign.team.chat import ModelChoice, chat_client, honesty
from countersign.team.claims import merged
from countersign.team.models import CheckedFinding, Findings
from countersign.team.quotes import checked
from countersign.team.report import to_markdown
from countersign.workshop import Made, Workshop


def findings_step(number: int, subtopic: int) -> str:
    """The step that finds claims for a subtopic (from 0) in a round (from 0)."""
    return f"{FIRST_ROUND}{subtopic}" if number == 0 else f"research:{number}:{subtopic}"


def check_step(number: int) -> str:
    """The step that judges the findings up to a round (from 0)."""
    return f"check:{number}"


def draft_step(version: int) -> str:
    """The step that writes a version (from 1)."""
    return f"draft:{version}"


@dataclass(frozen=True, kw_only=True, slots=True)
class Investigation:
    """Gives the team its work, with what the operation's earlier steps have made."""

    workshop: Workshop
    artifacts: Artifacts
    library: Library
    model: ModelChoice

    async def plan(self, operation: Operation) -> Made:
        """Cut the topic into subtopics: the requester's, or those that the planner sees."""
        request = await self._request(operation)

        async def work(budget: TokenBudget) -> dict[str, Any]:
            if request["subtopics"]:
                return {"subtopics": request["subtopics"]}
            titles = self._library(request).titles()
            client = chat_client(self.model)
            plan = await researcher.plan(
                client, topic=request["topic"], titles=titles, budget=budget
            )
            return plan.model_dump()

        return await self.workshop.make(operation, "plan", {"request": operation.request}, work)

    async def research(self, operation: Operation, number: int, subtopic: int, share: int) -> Made:
        """Find claims for one subtopic, heeding what the last check missed."""
        request = await self._request(operation)
        subtopics = operation.subtopics or ()
        asked = {
            "topic": request["topic"],
            "subtopic": subtopics[subtopic],
            "notes": await self._notes(operation, number),
        }

        async def work(budget: TokenBudget) -> dict[str, Any]:
            library = self._library(request)
            client = chat_client(self.model)
            found = await researcher.research(client, **asked, library=library, budget=budget)
            return found.model_dump()

        made_from = {"request": operation.request, **asked}
        step = findings_step(number, subtopic)
        return await self.workshop.make(operation, step, made_from, work, share)

    async def check(self, operation: Operation, number: int) -> Made:
        """Judge the newest findings of every subtopic; quotes are looked up before any model."""
        request = await self._request(operation)
        references = newest_findings(operation, number)

        async def work(budget: TokenBudget) -> dict[str, Any]:
            library = self._library(request)
            findings = checked(merged(await self._found(operation, references)), library)
            judged = await fact_checker.check(
                chat_client(self.model),
                topic=request["topic"],
                findings=findings,
                library=library,
                budget=budget,
            )
            claims = [
                Claim(**finding.model_dump(), supported=verdict.supported, note=verdict.note)
                for finding, verdict in zip(findings, judged.verdicts, strict=True)
            ]
            return {
                "approved": judged.approved,
                "notes": judged.notes,
                "again": in_doubt(operation, claims),
                "claims": [claim.model_dump() for claim in claims],
            }

        made_from = {"request": operation.request, "findings": list(references)}
        return await self.workshop.make(operation, check_step(number), made_from, work)

    async def write(self, operation: Operation, version: int) -> Made:
        """Write a version of the report from what the last check supports."""
        request = await self._request(operation)
        reference, judged = await self._last_check(operation)
        previous, comment = await self._asked_for(operation, version)

        async def work(budget: TokenBudget) -> dict[str, Any]:
            library = self._library(request)
            claims = [Claim.model_validate(claim) for claim in judged["claims"]]
            findings = [
                CheckedFinding(**claim.model_dump(include=set(CheckedFinding.model_fields)))
                for claim in claims
                if claim.supported
            ]
            report = await writer.write(
                chat_client(self.model),
                topic=request["topic"],
                findings=findings,
                library=library,
                budget=budget,
                previous=previous,
                comment=comment,
            )
            text = to_markdown(report, findings, library, honesty(self.model))
            content = ReportContent(title=report.title, text=text)
            evidence = Evidence(
                notes=judged["notes"], claims=claims, sources=cited_sources(claims, library)
            )
            return {
                "content": await self.artifacts.put(operation.tenant, content.stored()),
                "evidence": await self.artifacts.put(
                    operation.tenant, canonical(evidence.model_dump(mode="json"))
                ),
            }

        made_from = {"check": reference, "previous": previous, "comment": comment}
        return await self.workshop.make(operation, draft_step(version), made_from, work)

    async def _request(self, operation: Operation) -> dict[str, Any]:
        return json.loads(await self.artifacts.get(operation.tenant, operation.request))

    def _library(self, request: dict[str, Any]) -> Library:
        documents = request["documents"]
        return DocumentLibrary(documents) if documents else self.library

    async def _notes(self, operation: Operation, number: int) -> str:
        if number == 0:
            return ""
        reference = operation.work[check_step(number - 1)]
        return (await self.workshop.fetch(operation.tenant, reference)).result["notes"]

    async def _found(
        self, operation: Operation, references: Sequence[str]
    ) -> list[tuple[str, Findings]]:
        made = [await self.workshop.fetch(operation.tenant, each) for each in references]
        found = [Findings.model_validate(each.result) for each in made]
        return list(zip(operation.subtopics or (), found, strict=True))

    async def _last_check(self, operation: Operation) -> tuple[str, dict[str, Any]]:
        checks = [step for step in operation.work if step.startswith("check:")]
        reference = operation.work[max(checks)]
        return reference, (await self.workshop.fetch(operation.tenant, reference)).result

    async def _asked_for(self, operation: Operation, version: int) -> tuple[str | None, str | None]:
        """The text that a reviewer sent back and what they want changed; None for a first draft."""
        before = operation.proposal(version - 1)
        if before is None:
            return None, None
        stored = await self.artifacts.get(operation.tenant, before.content)
        return ReportContent.read(stored).text, before.decisions[-1][1].comment


def newest_findings(operation: Operation, number: int) -> tuple[str, ...]:
    """References of each subtopic's findings from the last round, up to `number`, that has any."""
    newest: list[str] = []
    for subtopic in range(len(operation.subtopics or ())):
        steps = [findings_step(each, subtopic) for each in range(number, -1, -1)]
        newest.append(next(operation.work[step] for step in steps if step in operation.work))
    return tuple(newest)


def in_doubt(operation: Operation, claims: Sequence[Claim]) -> list[int]:
    """The subtopics (from 0) that another round should research: all that lack a sound claim."""
    subtopics = operation.subtopics or ()
    sound = {claim.subtopic for claim in claims if claim.supported}
    lacking = [number for number, subtopic in enumerate(subtopics) if subtopic not in sound]
    return lacking or list(range(len(subtopics)))


def cited_sources(claims: Sequence[Claim], library: Library) -> list[SourceNote]:
    """What there is to know about the sources of the claims that hold, in their first order."""
    ids = dict.fromkeys(claim.source for claim in claims if claim.supported)
    sources = [library.source(each) for each in ids]
    return [SourceNote(id=each.id, title=each.title, url=each.url) for each in sources]
