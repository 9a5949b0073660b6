from __future__ import annotations

from countersign.team.models import Finding, SubtopicFinding
from countersign.team.report import gaps

SUPPORTED = [
    SubtopicFinding(claim=claim, quote="q", source="s", subtopic=subtopic)
    for claim, subtopic in [("Bees dance in circles.", "Dance"), ("Bees sleep.", "Asked for later")]
]


def found(claim: str) -> list[Finding]:
    return [Finding(claim=claim, quote="q", source="s")]


def test_each_subtopic_without_a_supported_claim_is_named() -> None:
    pairs = [
        ("Bees", list[Finding]()),
        ("Dance", found("Bees dance in circles.")),
        ("Repeats", found("In circles bees dance.")),
        ("Refused", found("Bees read books.")),
        ("Asked for later", list[Finding]()),
        ("Quarks", list[Finding]()),
    ]
    assert gaps(pairs, SUPPORTED, topic="Bees") == [
        "Nothing of what was found could be confirmed on: Refused.",
        "Nothing was found on: Quarks.",
    ]
