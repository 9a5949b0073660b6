"""What the proofreader makes of a model's verdicts on a finished draft."""

from __future__ import annotations

from typing import Any

import pytest

from countersign.team.calls import Calls
from countersign.team.draft import Draft
from countersign.team.errors import NothingSupported
from countersign.team.models import CheckedFinding, Report, Section
from countersign.team.proofreader import NOT_JUDGED, Proofread, proofread
from countersign.team.questions import read

DANCE = "Honey bees dance to tell each other where the flowers are."
FLIGHT = "Bees fly up to five kilometres from their hive."
SHORTER = "Bees fly up to three kilometres from their hive."
FINDINGS = [
    CheckedFinding(claim=each, quote=each, source="doc-1", subtopic=subtopic, found=True)
    for each, subtopic in [(DANCE, "Dance"), (FLIGHT, "Flight"), (SHORTER, "Flight")]
]
DRAFT = Draft(
    report=Report(
        title="How bees find flowers",
        summary="Honey bees dance to tell each other where the flowers are [1].",
        sections=[
            Section(
                heading="Dance", body="Honey bees dance where the flowers are [1]. It is a joy [1]."
            ),
            Section(heading="Bees rule the sky", body="Bees fly up to five kilometres [2]."),
        ],
    )
)
"""Its lines are: title, two headings, then the sentences from 4 to 7."""


async def proofed(provider: Any, calls: Calls, refused: set[int], **more: Any) -> Proofread:
    verdicts = [
        {"line": number, "supported": number not in refused, "note": "No quote says so."}
        for number in range(1, 8)
    ]
    provider.fills_in(**{"verdicts": verdicts, "contradictions": [], **more})
    return await proofread(calls, DRAFT, FINDINGS, topic="Bees", titles=["A book of bees"])


async def test_every_line_is_shown_with_the_claims_and_what_stands_around_their_quotes(
    provider: Any, calls: Calls
) -> None:
    await proofed(provider, calls, set())
    asked, _ = read(provider.requests[0]["messages"][-1]["content"])
    assert [each["kind"] for each in asked["lines"]] == [
        "title",
        *["heading"] * 2,
        *["sentence"] * 4,
    ]
    assert [each["number"] for each in asked["claims"]] == [1, 2]
    assert set(asked["claims"][0]) == {"number", "claim", "before", "quote", "after"}


async def test_what_is_refused_is_left_out_and_kept_with_the_reason(
    provider: Any, calls: Calls
) -> None:
    made = await proofed(provider, calls, {6})
    assert made.draft.report.sections[0].body == "Honey bees dance where the flowers are [1]."
    [left_out] = made.draft.left_out
    assert left_out.text == "It is a joy."
    assert "No quote says so." in left_out.reason


async def test_a_title_or_heading_that_is_refused_gives_way(provider: Any, calls: Calls) -> None:
    made = await proofed(provider, calls, {1, 2, 3})
    assert made.draft.report.title == "Bees"
    assert [each.heading for each in made.draft.report.sections] == ["Dance", "Flight"]
    assert [each.text for each in made.draft.left_out] == [
        "How bees find flowers",
        "Bees rule the sky",
    ]


async def test_a_section_of_which_nothing_is_left_goes(provider: Any, calls: Calls) -> None:
    made = await proofed(provider, calls, {4, 5, 6})
    [section] = made.draft.report.sections
    assert section.heading == "Bees rule the sky"
    assert made.draft.report.summary == "Bees fly up to five kilometres [2]."


async def test_a_report_of_which_nothing_is_left_is_none(provider: Any, calls: Calls) -> None:
    with pytest.raises(NothingSupported, match="proofread"):
        await proofed(provider, calls, {4, 5, 6, 7})


async def test_a_line_without_a_clear_verdict_is_in_doubt(provider: Any, calls: Calls) -> None:
    verdicts = [{"line": number, "supported": True} for number in (1, 2, 3, 4, 5, 7, 7)]
    verdicts[-1]["supported"] = False
    made = await proofed(provider, calls, set(), verdicts=verdicts)
    doubted = [each.sentence for each in made.doubts if NOT_JUDGED in each.reasons]
    assert doubted == ["It is a joy.", "Bees fly up to five kilometres."]
    assert len(list(made.draft.left_out)) == 0


async def test_what_no_quote_has_is_in_doubt_whatever_the_model_says(
    provider: Any, calls: Calls
) -> None:
    made = await proofed(provider, calls, set())
    grave = {each.sentence for each in made.doubts if each.grave}
    assert grave == {"How bees find flowers", "It is a joy.", "Bees rule the sky"}
    quiet = {each.sentence for each in made.doubts} - grave
    assert quiet == {"Honey bees dance where the flowers are.", "Bees fly up to five kilometres."}


@pytest.mark.parametrize(
    ("planned", "doubted"),
    [
        ("Bees killed 500 people in 2024", True),
        ("The mayor took bribes from beekeepers", True),
        ("Honey bees never dance where the flowers are", True),
        ("Dance of honey bees", False),
    ],
)
async def test_a_heading_that_a_model_planned_is_in_doubt_if_it_claims_something(
    provider: Any, calls: Calls, planned: str, doubted: bool
) -> None:
    findings = [FINDINGS[0].model_copy(update={"subtopic": planned})]
    section = Section(heading=planned, body=f"{DANCE} [1]")
    draft = Draft(report=Report(title="Bees", summary=f"{DANCE} [1]", sections=[section]))
    provider.fills_in(
        verdicts=[{"line": number, "supported": True} for number in (1, 2, 3)], contradictions=[]
    )
    made = await proofread(calls, draft, findings, topic="Bees", titles=[])
    assert [each.sentence for each in made.doubts if each.grave] == [planned] * doubted
    assert len(made.doubts) == doubted


async def test_if_no_answer_can_be_used_every_sentence_is_in_doubt(
    provider: Any, calls: Calls
) -> None:
    for _ in range(3):
        provider.says("I have read it.")
    made = await proofread(calls, DRAFT, FINDINGS, topic="Bees", titles=[])
    assert sum(NOT_JUDGED in each.reasons for each in made.doubts) == 6  # a heading is a subtopic
    assert made.draft.report == DRAFT.report


async def test_claims_that_differ_in_a_number_alone_contradict_each_other(
    provider: Any, calls: Calls
) -> None:
    made = await proofed(provider, calls, set())
    assert made.contradictions == [(2, 3)]


async def test_contradictions_that_the_model_names_are_kept(provider: Any, calls: Calls) -> None:
    named = [{"one": 2, "other": 1}, {"one": 1, "other": 1}, {"one": 1, "other": 99}]
    made = await proofed(provider, calls, set(), contradictions=named)
    assert made.contradictions == [(1, 2), (2, 3)]
