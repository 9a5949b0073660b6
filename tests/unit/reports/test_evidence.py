"""Evidence is kept with the passages of its quotes, and older evidence still reads."""

from __future__ import annotations

import json

from countersign.reports.evidence import Claim, Evidence, SourceNote
from countersign.sources.origin import Origin
from countersign.team.models import QuotedPassage

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
