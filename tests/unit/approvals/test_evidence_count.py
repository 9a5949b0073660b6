"""What evidence comes to: the claims that the text makes, and what of it has to be checked."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from countersign.approvals.evidence_count import EvidenceCount


@dataclass(frozen=True)
class Claim:
    used: bool = True
    found: bool = True
    supported: bool = True
    marks: tuple[str, ...] = ()


@dataclass(frozen=True)
class Doubt:
    grave: bool


def test_claims_that_the_text_does_not_make_count_for_nothing() -> None:
    claims = [Claim(), Claim(used=False), Claim(used=False, found=False)]
    assert EvidenceCount.of(claims, [], 0, own_text=False) == EvidenceCount(claims=1, to_check=0)


@pytest.mark.parametrize(
    "claim", [Claim(found=False), Claim(supported=False), Claim(marks=("a number",))]
)
def test_a_claim_that_something_speaks_against_is_to_be_checked_once(claim: Claim) -> None:
    counted = EvidenceCount.of([Claim(), claim], [], 0, own_text=False)
    assert counted == EvidenceCount(claims=2, to_check=1)


def test_grave_doubts_and_contradictions_are_to_be_checked_too() -> None:
    doubts = [Doubt(grave=True), Doubt(grave=False)]
    counted = EvidenceCount.of([Claim()], doubts, 2, own_text=False)
    assert counted == EvidenceCount(claims=1, to_check=3)


def test_of_a_text_that_nobody_compared_nobody_knows() -> None:
    counted = EvidenceCount.of([Claim(found=False)], [Doubt(grave=True)], 1, own_text=True)
    assert counted == EvidenceCount(claims=1, to_check=None)
