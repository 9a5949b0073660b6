"""Evidence is kept with the passages of its quotes, and older evidence still reads."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import datetime, timezone
from functools import reduce
from typing import Any

import pytest

from countersign.approvals import offering
from countersign.approvals.errors import UntrustedLedger
from countersign.approvals.events import OperationStarted
from countersign.approvals.evidence_count import EvidenceCount
from countersign.approvals.folding import begin, evolve
from countersign.approvals.operation import Operation, shelf_of
from countersign.approvals.person import Actor
from countersign.approvals.policy import Policy
from countersign.reports.evidence import Claim, Evidence, SourceNote, evidence_of
from countersign.sources.origin import Origin
from countersign.stores.memory import MemoryArtifacts
from countersign.team.models import Doubt, QuotedPassage

QUOTE = "Every retry needs a limit."
CLAIM = Claim(
    claim="Retries need limits.",
    quote=QUOTE,
    source="doc-1",
    subtopic="Retries",
    found=True,
    passage=QuotedPassage(before="So it is. ", quote=QUOTE, after=" Always."),
    supported=True,
    note="It says so.",
)
EVIDENCE = Evidence(
    notes="", claims=[CLAIM], sources=[SourceNote(id="doc-1", title="One", url=None)]
)


def test_what_is_stored_reads_back_with_its_passages() -> None:
    assert Evidence.model_validate_json(EVIDENCE.stored()) == EVIDENCE


def test_evidence_from_before_passages_were_kept_still_reads() -> None:
    older = json.loads(EVIDENCE.stored())
    del older["claims"][0]["passage"]
    [claim] = Evidence.model_validate(older).claims
    assert claim.passage is None
    assert claim.quote == QUOTE


def test_evidence_from_before_it_was_recorded_who_sent_a_document_still_reads() -> None:
    origin = Origin(kind="request", by="Rita", digest="0" * 64)
    sent = SourceNote(id="doc-1", title="One", url=None, origin=origin)
    older = json.loads(EVIDENCE.model_copy(update={"sources": [sent]}).stored())
    assert older["sources"][0]["origin"].pop("by") == "Rita"
    read = Evidence.model_validate_json(json.dumps(older)).source("doc-1").origin
    assert read == Origin(kind="request", digest="0" * 64)


def test_the_writer_is_given_the_finding_with_its_passage() -> None:
    assert CLAIM.finding().passage == CLAIM.passage


def test_a_claim_is_used_where_its_quote_stands_in_the_text() -> None:
    used = EVIDENCE.of_own_text(f"# Mine\n\n> {QUOTE}\n").claims[0]
    unused = EVIDENCE.of_own_text("# Mine\n\nNothing of it.\n").claims[0]
    assert (used.used, unused.used) == (True, False)
    assert used.passage == CLAIM.passage


USED = CLAIM.model_copy(update={"used": True})


@pytest.mark.parametrize(
    ("changes", "to_check"),
    [
        # Nothing speaks against it.
        ({}, 0),
        # Its quote is not in the source.
        ({"claims": [USED.model_copy(update={"found": False})]}, 1),
        # The quote does not support it.
        ({"claims": [USED.model_copy(update={"supported": False})]}, 1),
        # A number in it is in no quote.
        ({"claims": [USED.model_copy(update={"marks": ["A number is not in the quote."]})]}, 1),
        # A line of the text has something against it, and another one is in the writer's words.
        (
            {
                "doubts": [
                    Doubt(sentence="It never fails.", reasons=["It denies."], grave=True),
                    Doubt(sentence="It may fail.", reasons=["Own words."], grave=False),
                ]
            },
            1,
        ),
        # Two claims of it don't agree.
        ({"claims": [USED, USED], "contradictions": [[1, 2]]}, 1),
    ],
)
def test_the_count_has_the_claims_of_the_text_and_what_is_to_be_checked(
    changes: dict[str, Any], to_check: int
) -> None:
    evidence = EVIDENCE.model_copy(update={"claims": [USED], **changes})
    unused = CLAIM.model_copy(update={"supported": False})
    counted = evidence.model_copy(update={"claims": [*evidence.claims, unused]}).count()
    assert counted == EvidenceCount(claims=len(evidence.claims), to_check=to_check)


def test_the_count_of_a_reviewers_own_text_says_that_nobody_checked_it() -> None:
    own = EVIDENCE.of_own_text(f"# Mine\n\n> {QUOTE}\n")
    assert own.count() == EvidenceCount(claims=1, to_check=None)


@pytest.mark.parametrize(
    ("counted", "is_right"),
    [
        (None, True),
        (EVIDENCE.count(), True),
        (EvidenceCount(claims=1, to_check=0), False),
        (EvidenceCount(claims=0, to_check=None), False),
    ],
)
async def test_a_version_is_shown_with_evidence_that_comes_to_what_its_row_counts(
    counted: EvidenceCount | None, is_right: bool
) -> None:
    artifacts = MemoryArtifacts()
    operation = offered(counted, await artifacts.put(shelf_of("home", "r-1"), EVIDENCE.stored()))
    [proposal] = operation.proposals
    if is_right:
        assert await evidence_of(artifacts, operation, proposal) == EVIDENCE
        return
    for told in (proposal, replace(proposal, evidence=None)):
        with pytest.raises(UntrustedLedger, match="evidence for version 1 is wrong"):
            await evidence_of(artifacts, operation, told)


def offered(counted: EvidenceCount | None, evidence: str) -> Operation:
    """An operation of which one version waits, with what its row says of its evidence."""
    now = datetime(2026, 3, 1, 9, tzinfo=timezone.utc)
    started = OperationStarted(
        at=now,
        actor=Actor(id="rita", name="Rita"),
        kind="research",
        title="Tides",
        request="r",
        policy=Policy(reviewer_role="Reviewer"),
        erasable=True,
    )
    operation = begin("home", "r-1", started)
    command = offering.Open(
        version=1, digest="d", content="c", evidence=evidence, evidence_count=counted
    )
    opened = offering.open_proposal(operation, command, now)
    assert isinstance(opened, tuple)
    return reduce(evolve, opened, operation)
