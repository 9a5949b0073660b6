"""A finding whose quote is a slip away from its source is judged by the source's own words."""

from __future__ import annotations

import pytest

from countersign.team.models import Finding
from countersign.team.questions import Shown
from countersign.team.quotes import stands_in
from countersign.team.researcher import attributed

HARBOUR = """\
# Port Ellery Harbour: annual report 2024

The harbour of Port Ellery handled 1,742,000 tonnes of cargo in 2024. That is 6.5 % more than in
2023. Grain made up the largest share of it.

The new crane was put into service on 14 March 2024. The old crane was
not sold; it stands in the dry dock as a reserve.

| Cargo | Tonnes 2023 | Tonnes 2024 |
|---|---|---|
| Grain | 610,000 | 702,000 |
| Timber | 488,000 | 455,000 |
"""
MINUTES = "The harbour master said that no buyer had been looked for. It was 11.2 m deep."
MOOR = "Die Zahl der brütenden Kraniche stieg von drei auf elf Paare. Der Regenpfeifer fehlt."
TEXTS = {"doc-1": HARBOUR, "doc-2": MINUTES, "doc-3": MOOR}
SHOWN = [Shown(source, f"Title {source}", text) for source, text in TEXTS.items()]


def meant(claim: str, quote: str, source: str = "doc-1") -> tuple[str, str] | None:
    """The quote and the source of what becomes of a finding; None if it is left out."""
    found = attributed([Finding(claim=claim, quote=quote, source=source)], SHOWN, TEXTS)
    return (found[0].quote, found[0].source) if found else None


@pytest.mark.parametrize(
    ("quote", "source", "words"),
    [
        (  # two sentences made one, as a model of 1.5 billion parameters did
            "The harbour of Port Ellery handled 1,742,000 tonnes of cargo in 2024, which is 6.5 %"
            " more than in 2023.",
            "doc-27",
            "The harbour of Port Ellery handled 1,742,000 tonnes of cargo in 2024. That is 6.5 %"
            " more than in\n2023.",
        ),
        (  # a word in another language, as the same model did
            "The Zahl der brütenden Kraniche stieg von drei auf elf Paare.",
            "moor",
            "Die Zahl der brütenden Kraniche stieg von drei auf elf Paare.",
        ),
        (  # a word left out, and a comma more
            "The old crane was not sold, it stands in dry dock as a reserve.",
            "doc-1",
            "The old crane was\nnot sold; it stands in the dry dock as a reserve.",
        ),
    ],
)
def test_a_quote_with_a_slip_is_the_sentence_that_it_copies(
    quote: str, source: str, words: str
) -> None:
    claimed = meant("It is as the quote says.", quote, source)
    assert claimed is not None
    assert claimed[0] == words


@pytest.mark.parametrize(
    "quote",
    [
        "The harbour of Port Ellery handled 1,472,000 tonnes of cargo in 2024.",  # other number
        "The old crane was sold; it stands in the dry dock as a reserve.",  # a "not" less
        "The harbour master said that a buyer had been looked for.",  # a "no" less
        "Two vessels ran aground near the harbour in a heavy storm.",  # nothing of the kind
    ],
)
def test_what_says_something_else_is_no_slip(quote: str) -> None:
    said = meant("Something was claimed of the harbour.", quote)
    assert said == (quote, "doc-1")
    assert not stands_in(quote, HARBOUR)


@pytest.mark.parametrize(
    "quote",
    [
        "Cargo | Tonnes 2023 | Tonnes 2024\nTimber | 488,000 | 455,000",
        "Cargo | Tonnes 2023 | Tonnes 2024 ... Timber | 488,000 | 455,000",
        "Cargo | Tonnes 2023 | Tonnes 2024 […] Timber | 488,000 | 455,000",
    ],
)
def test_what_a_quote_leaves_out_in_its_middle_is_quoted_too(quote: str) -> None:
    said = meant("Timber came to 488,000 tonnes in 2023 and 455,000 in 2024.", quote)
    assert said is not None
    assert said[0].startswith("Cargo | Tonnes 2023")
    assert "Grain | 610,000 | 702,000" in said[0]
    assert said[0].endswith("455,000")
    assert stands_in(said[0], HARBOUR)


def test_parts_in_another_order_are_no_quote() -> None:
    quote = "Timber | 488,000 | 455,000\nCargo | Tonnes 2023 | Tonnes 2024"
    assert meant("Timber came to 488,000 tonnes.", quote) == (quote, "doc-1")


def test_a_quote_beside_the_point_gives_way_to_the_sentence_that_says_the_claim() -> None:
    quote = "The harbour master said that no buyer had been looked for."
    said = meant("The old crane was not sold.", quote, "doc-2")
    assert said == (
        "The old crane was\nnot sold; it stands in the dry dock as a reserve.",
        "doc-1",
    )


def test_a_row_with_the_numbers_of_its_claim_is_to_the_point_without_any_of_its_words() -> None:
    row = "Timber | 488,000 | 455,000"
    assert meant("488,000 tonnes of wood, then 455,000, passed through the port.", row) == (
        row,
        "doc-1",
    )


def test_a_quote_to_the_point_stays_although_another_sentence_has_more_of_the_claim() -> None:
    quote = "it stands in the dry dock as a reserve"
    assert meant("The old crane stands in the dry dock.", quote) == (quote, "doc-1")


def test_a_claim_that_no_sentence_says_keeps_its_quote_and_is_judged_by_it() -> None:
    quote = "The harbour master said that no buyer had been looked for."
    assert meant("Fog closed the port in May.", quote, "doc-2") == (quote, "doc-2")


@pytest.mark.parametrize(
    "claim",
    ["The old crane was sold.", "The old crane was not sold in 2019."],
)
def test_a_claim_that_no_sentence_says_is_judged_by_the_one_that_denies_it(claim: str) -> None:
    quote = "The harbour master said that no buyer had been looked for."
    said = meant(claim, quote, "doc-2")
    assert said is not None
    assert said[0].startswith("The old crane was\nnot sold")
