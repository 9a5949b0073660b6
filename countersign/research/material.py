"""What the research of an operation has to go by: its request, and what its steps have made."""

from __future__ import annotations

from collections.abc import Collection as Several
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from countersign.approvals.operation import Operation
from countersign.operations.workshop import Workshop
from countersign.reports.comments import read_comments
from countersign.reports.evidence import Evidence, read_evidence
from countersign.reports.report import read_report
from countersign.reports.report_bodies import ReportRequestBody
from countersign.research.drafting import Assignment
from countersign.retrieval.choice import Choice, Scope
from countersign.retrieval.collection import Collection
from countersign.retrieval.copies import Copies, Copy, kept_library
from countersign.sources.library import Library
from countersign.steps.names import check_step, findings_step, last_check, may_look_up, subtopic_of
from countersign.stores.artifacts import DamagedArtifact
from countersign.team.models import Finding, Findings
from countersign.team.wish import Wish


@dataclass(frozen=True, slots=True)
class Material:
    """All that the steps of one operation work with.

    Attributes:
        workshop: where its steps are carried out and kept.
        choice: where research can look.
        operation: the operation, as its ledger has it.
    """

    workshop: Workshop
    choice: Choice
    operation: Operation

    async def request(self) -> ReportRequestBody:
        """Return the request.

        Raises:
            ArtifactError: it is missing or damaged.
        """
        stored = await self._stored(self.operation.request)
        try:
            return ReportRequestBody.model_validate_json(stored)
        except ValidationError as error:
            raise DamagedArtifact(f"{self.operation.request} is no request") from error

    async def collection(self, request: ReportRequestBody) -> Collection:
        """Return the sources that one step searches, as its request says.

        Raises:
            NothingLookedUp: nothing of what the request names is turned on any more.
        """
        return await self.choice.collection(self._scope(request), self._copies())

    async def sources(self, only: Several[str] | None = None) -> Library:
        """Return what the operation has read: its copies, then the documents at hand.

        Args:
            only: the ids of the sources that are needed; None for all.
        """
        shown = [
            copy
            for made in await self._looked_up()
            for copy in map(Copy.model_validate, made.get("sources", ()))
            if only is None or copy.id in only
        ]
        at_hand = await self.choice.at_hand(self._scope(await self.request()))
        return await kept_library(shown, self._copies(), at_hand)

    async def unread(self) -> list[str]:
        """Return a line for each source that could not be read so far."""
        return [line for made in await self._looked_up() for line in made.get("unread", ())]

    async def found_in(self, round: int) -> list[tuple[str, Findings]]:
        """Return the findings of a round by subtopic, in the order of the plan."""
        return [(subtopic, await self._found(step)) for subtopic, step in self.steps_of(round)]

    def steps_of(self, round: int) -> list[tuple[str, str]]:
        """Return the subtopics that a round has researched, with their steps, as planned."""
        steps = (
            (subtopic, findings_step(round, place))
            for place, subtopic in enumerate(self.operation.subtopics or ())
        )
        return [(subtopic, step) for subtopic, step in steps if step in self.operation.work]

    async def found(self) -> list[tuple[str, list[Finding]]]:
        """All that was found of each subtopic, in any round."""
        subtopics = self.operation.subtopics or ()
        found: list[tuple[str, list[Finding]]] = []
        for subtopic in subtopics:
            work = self.operation.work
            steps = [step for step in work if subtopic_of(step, subtopics) == subtopic]
            made = [await self._found(step) for step in steps]
            found.append((subtopic, [finding for each in made for finding in each.findings]))
        return found

    async def known_before(self, round: int) -> Evidence:
        """Return the evidence of the rounds before one; empty before the first."""
        if round == 0:
            return Evidence(notes="", claims=[], sources=[])
        return await self._judged(check_step(round - 1))

    async def known_for(self, version: int) -> Evidence:
        """Return the evidence of the previous version; for the first, that of the last check."""
        before = self.operation.proposal(version - 1)
        if before and before.evidence:
            artifacts, shelf = self.workshop.artifacts, self.operation.shelf
            evidence = await read_evidence(artifacts, shelf, before.evidence)
            return evidence.model_copy(update={"own_text": False, "revision": "", "answers": []})
        return await self._judged(self.last_check())

    def last_check(self) -> str:
        """Return the step that has judged the facts for good."""
        return last_check(self.operation.work) or check_step(0)

    async def assignment(self, version: int) -> Assignment:
        """Return what to write: a first draft, or what a reviewer wants instead of it."""
        topic, before = (await self.request()).topic, self.operation.proposal(version - 1)
        if before is None:
            return Assignment(topic=topic)
        artifacts, shelf = self.workshop.artifacts, self.operation.shelf
        content = await read_report(artifacts, shelf, before.content)
        comments = [
            comment
            for reference, _, _ in before.commented
            for comment in await read_comments(artifacts, shelf, reference)
        ]
        wish = Wish(
            previous=content.text,
            comment=before.decisions[-1][1].comment,
            remarks=[each.remark for each in comments],
        )
        return Assignment(topic=topic, wish=wish)

    def _scope(self, request: ReportRequestBody) -> Scope:
        """Return where a request says to look."""
        return Scope(
            topic=request.topic,
            requester=self.operation.requester.name,
            documents=[each.model_dump(mode="json") for each in request.documents or ()],
            look_in=request.look_in,
            addresses=request.addresses or (),
        )

    def _copies(self) -> Copies:
        return Copies(self.workshop.artifacts, self.operation.shelf, self.operation.id)

    async def _looked_up(self) -> list[Mapping[str, Any]]:
        """Return the results so far of every step that may have searched."""
        steps = filter(may_look_up, self.operation.work)
        return [await self.workshop.result(self.operation, step) for step in steps]

    async def _judged(self, check: str) -> Evidence:
        judged = await self.workshop.result(self.operation, check)
        return Evidence.model_validate(judged["evidence"])

    async def _found(self, step: str) -> Findings:
        made = await self.workshop.result(self.operation, step)
        said = {name: value for name, value in made.items() if name in Findings.model_fields}
        return Findings.model_validate(said)

    async def _stored(self, reference: str) -> bytes:
        return await self.workshop.artifacts.get(self.operation.shelf, reference)
