"""What the embedded model answers to a fact-checker's question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from countersign.team.models import FactCheckResult, Verdict
from countersign.team.quotes import stands_in


def fact_check(
    claims: Sequence[Mapping[str, object]], proved: Sequence[object] = ()
) -> FactCheckResult:
    """Support a claim only if its quote says it word for word: this model can't infer.

    Args:
        claims: `{number, claim, quote}` each.
        proved: What earlier rounds have proved.
    """
    verdicts = [_verdict(claim) for claim in claims]
    supported = sum(verdict.supported for verdict in verdicts)
    return FactCheckResult(
        approved=supported > 0 or bool(proved),
        notes=f"{supported} of {len(verdicts)} claims are word for word in their quotes.",
        verdicts=verdicts,
    )


def _verdict(claim: Mapping[str, object]) -> Verdict:
    supported = stands_in(str(claim["claim"]).rstrip("."), str(claim["quote"]))
    note = "The quote says so word for word." if supported else "The quote has other words."
    return Verdict(claim=int(str(claim["number"])), supported=supported, note=note)
