"""What the embedded model answers to a fact-checker's question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from countersign.team.citations import bare
from countersign.team.folded import FoldedText
from countersign.team.models import FactCheckResult, Proof, SentenceVerdict, Verdict
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


def proof(lines: Sequence[Mapping[str, object]], claims: Sequence[Mapping[str, object]]) -> Proof:
    """Let titles and headings stand, and sentences that are word for word in the quotes.

    Args:
        lines: `{line, kind, text}` each.
        claims: `{number, claim, quote}` each.
    """
    quotes = [FoldedText(str(claim["quote"])) for claim in claims]
    return Proof(verdicts=[_line_verdict(line, quotes) for line in lines])


def _line_verdict(line: Mapping[str, object], quotes: Sequence[FoldedText]) -> SentenceVerdict:
    said = bare(str(line["text"]))
    stands = line["kind"] != "sentence" or any(quote.has(said) for quote in quotes)
    note = "" if stands else "No quote says so word for word."
    return SentenceVerdict(line=int(str(line["line"])), supported=stands, note=note)


def _verdict(claim: Mapping[str, object]) -> Verdict:
    supported = stands_in(str(claim["claim"]).rstrip("."), str(claim["quote"]))
    note = "The quote says so word for word." if supported else "The quote has other words."
    return Verdict(claim=int(str(claim["number"])), supported=supported, note=note)
