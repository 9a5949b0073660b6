"""The sources that a version quotes, and where each came from, as its evidence has them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from countersign.approvals.digest import canonical, sha256
from countersign.approvals.evidence_count import EvidenceCount
from countersign.approvals.operation import Operation
from countersign.proof.errors import ProofFault
from countersign.sources.origin import Origin


class _Part(BaseModel):
    # The rest of the evidence is bound by the same digest, and is nothing that is told here.
    model_config = ConfigDict(strict=True, extra="ignore", frozen=True, defer_build=True)


class RecordedSource(_Part):
    """A source as it was when the facts were checked; `origin` is None where nobody recorded it."""

    id: str
    title: str
    url: str | None
    origin: Origin | None = None


class _Claim(_Part):
    source: str
    used: bool = False


class _Evidence(_Part):
    claims: list[_Claim]
    sources: list[RecordedSource]


class _CountedClaim(_Part):
    used: bool
    found: bool
    supported: bool
    marks: list[str]


class _Doubt(_Part):
    grave: bool


class _Counted(_Part):
    """What every evidence has that a row counts; there is older evidence without."""

    claims: list[_CountedClaim]
    doubts: list[_Doubt]
    contradictions: list[list[int]]
    own_text: bool


def quoted_sources(
    operation: Operation, evidence: Mapping[str, Any] | None
) -> Sequence[RecordedSource] | None:
    """Return the sources that the newest version quotes; None where a bundle has no evidence.

    Raises:
        ProofFault: the evidence is not that which the row of that version names, or does not come
            to what that row counts, or is no evidence.
    """
    if evidence is None:
        return None
    newest = operation.current
    if newest is None or sha256(canonical(evidence)) != newest.evidence:
        raise ProofFault("its evidence is not that of the newest version")
    try:
        known = _Evidence.model_validate(evidence)
    except ValidationError:
        raise ProofFault("the evidence of the newest version is not in a known form") from None
    if newest.evidence_count is not None:
        _check_count(newest.evidence_count, evidence)
    used = {claim.source for claim in known.claims if claim.used}
    return [source for source in known.sources if source.id in used]


def _check_count(counted: EvidenceCount, evidence: Mapping[str, Any]) -> None:
    try:
        told = _Counted.model_validate(evidence)
    except ValidationError:
        raise ProofFault("the evidence of the newest version cannot be counted") from None
    contradictions = len(told.contradictions)
    right = EvidenceCount.of(told.claims, told.doubts, contradictions, own_text=told.own_text)
    if counted != right:
        raise ProofFault("the newest version's row does not count its evidence right")
