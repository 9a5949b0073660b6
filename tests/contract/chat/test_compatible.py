"""What goes to a provider, and what the fact-checker and the writer make of its answers."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from countersign.sources.documents import DocumentLibrary
from countersign.sources.in_threads import InThreads
from countersign.team import fact_checker, researcher, writer
from countersign.team.calls import Calls
from countersign.team.errors import Uncited, UnusableAnswer
from countersign.team.fact_checker import RoundToJudge
from countersign.team.models import CheckedFinding, Plan, QuotedPassage
from countersign.team.questions import read
from countersign.team.wish import PassageRemark, Wish
from testbed.chat_provider import KEY

HONEY = "Honey bees dance to tell each other where the flowers are."
LIBRARY = DocumentLibrary([{"title": "Bees", "text": f"{HONEY} They fly up to five kilometres."}])
TWO = DocumentLibrary(
    [
        {"title": "Bees", "text": HONEY},
        {"title": "Flying", "text": "Any flight ends before the dusk, within five kilometres."},
    ]
)


async def plan(calls: Calls) -> Plan:
    return await researcher.plan(calls, topic="Bees", titles=["Bees"])


async def test_a_plan_comes_back_in_its_form(provider: Any, calls: Calls) -> None:
    provider.fills_in(subtopics=["Dance", "Flight", "Dance"])
    assert (await plan(calls)).subtopics == ["Dance", "Flight"]


async def test_subtopics_that_say_the_same_are_paid_for_once(provider: Any, calls: Calls) -> None:
    provider.fills_in(
        subtopics=["The dance of bees", "Bees' dances", "Flight", "dance of the bees"]
    )
    assert (await plan(calls)).subtopics == ["The dance of bees", "Flight"]


async def test_the_key_goes_to_the_chosen_url_and_a_stray_one_nowhere(
    provider: Any, calls: Calls, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-stray")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    provider.fills_in(subtopics=["Dance"])
    await plan(calls)
    assert provider.authorizations == [f"Bearer {KEY}"]


async def test_without_a_key_no_stray_one_is_sent(
    provider: Any, new_calls: Callable[..., Calls], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-stray")
    provider.fills_in(subtopics=["Dance"])
    await plan(new_calls(api_key=None))
    assert "sk-stray" not in str(provider.authorizations)


async def test_the_form_is_sent_as_a_strict_schema_without_bounds(
    provider: Any, calls: Calls
) -> None:
    provider.fills_in(subtopics=["Dance"])
    await plan(calls)
    sent = provider.requests[0]["response_format"]["json_schema"]
    assert sent["strict"] is True
    assert "max" not in json.dumps(sent["schema"]).lower()


async def test_no_request_offers_a_tool_beside_the_form(provider: Any, calls: Calls) -> None:
    provider.fills_in(findings=[], look_up=["flight"])
    provider.fills_in(findings=[])
    await researcher.research(calls, topic="Honey bees", subtopic="Dance", library=InThreads(TWO))
    assert [{"tools", "tool_choice"} & request.keys() for request in provider.requests] == [
        set()
    ] * 2
    assert all("response_format" in request for request in provider.requests)


def finding(number: int, *, found: bool = True) -> CheckedFinding:
    return CheckedFinding(
        claim=f"Bees dance ({number}).", quote=HONEY, source="doc-1", subtopic="Dance", found=found
    )


async def check(calls: Calls, *findings: CheckedFinding, **more: Any) -> Any:
    titles = {"doc-1": LIBRARY.source("doc-1").title}
    judged = RoundToJudge(
        topic="Bees", subtopics=["Dance"], findings=findings, titles=titles, **more
    )
    return await fact_checker.check(calls, judged)


def asked(provider: Any, number: int = 0) -> Any:
    """The JSON of the question in a request."""
    return read(provider.requests[number]["messages"][-1]["content"])[0]


def verdict(claim: int, *, supported: bool = True) -> dict[str, Any]:
    return {"claim": claim, "supported": supported, "note": "So it says."}


async def test_a_quote_that_is_not_there_supports_nothing_whatever_the_model_says(
    provider: Any, calls: Calls
) -> None:
    provider.fills_in(approved=True, notes="", verdicts=[verdict(1), verdict(2)])
    result = await check(calls, finding(1), finding(2, found=False))
    assert [each.supported for each in result.verdicts] == [True, False]
    assert [claim["number"] for claim in asked(provider)["claims"]] == [1]


async def test_every_claim_gets_exactly_one_verdict(provider: Any, calls: Calls) -> None:
    verdicts = [verdict(2), verdict(3), verdict(3, supported=False), verdict(9)]
    provider.fills_in(approved=True, notes="", verdicts=verdicts)
    result = await check(calls, finding(1), finding(2), finding(3))
    assert [(each.claim, each.supported) for each in result.verdicts] == [
        (1, False),
        (2, True),
        (3, False),
    ]


@pytest.mark.parametrize(
    "claim",
    ["Do bees dance?", "Dance", "...", "Month | Bees | Dances", "\u871c\u8702\u8df3\u821e\uff1f"],
)
async def test_what_states_nothing_is_no_claim_whatever_the_model_says(
    provider: Any, calls: Calls, claim: str
) -> None:
    provider.fills_in(approved=True, notes="", verdicts=[verdict(1), verdict(2)])
    nothing = finding(1).model_copy(update={"claim": claim})
    first, second = (await check(calls, nothing, finding(2))).verdicts
    assert (first.supported, first.note) == (False, fact_checker.NO_STATEMENT)
    assert second.supported


@pytest.mark.parametrize(
    ("claim", "supported"),
    [
        ("A ticket for the tram costs 2.50 euros.", False),  # neither number nor words, as recorded
        ("Bees dance to tell each other of 40 flowers.", True),  # a number that may be a sum
        ("Bienen tanzen, um einander Blumen zu zeigen.", True),  # other words, in another language
        ("In 2.000 Metern Umkreis leben 7 Bienen.", True),  # and with one of its numbers
    ],
)
async def test_a_claim_with_other_numbers_and_other_words_is_not_left_to_the_model(
    provider: Any, calls: Calls, claim: str, supported: bool
) -> None:
    provider.fills_in(approved=True, notes="", verdicts=[verdict(1), verdict(2)])
    quote = f"{HONEY} They fly up to 2,000 metres."
    passage = QuotedPassage(before="It is 2.50. ", quote=quote, after="")
    changed = finding(1).model_copy(update={"claim": claim, "passage": passage})
    first, second = (await check(calls, changed, finding(2))).verdicts
    assert (first.supported, second.supported) == (supported, True)
    assert supported or first.note == fact_checker.BESIDE_THE_POINT


async def test_verdicts_that_are_whole_are_taken_from_an_answer_that_was_cut(
    provider: Any, calls: Calls
) -> None:
    told = json.dumps({"verdicts": [verdict(1), verdict(2, supported=False)]})[:-2]
    provider.says(f'{told}, {{"claim": 3, "suppor', "length")
    result = await check(calls, finding(1), finding(2))
    assert [each.supported for each in result.verdicts] == [True, False]
    assert not result.approved


async def test_a_verdict_that_is_missing_in_an_answer_that_was_cut_is_asked_for_again(
    provider: Any, calls: Calls
) -> None:
    cut = json.dumps({"verdicts": [verdict(1)]})[:-2]
    for _ in range(3):
        provider.says(f"{cut}, ", "length")
    result = await check(calls, finding(1), finding(2))
    assert [(each.supported, each.note) for each in result.verdicts] == [
        (True, "So it says."),
        (False, fact_checker.NOT_JUDGED),
    ]


async def test_nothing_supported_is_never_approved(provider: Any, calls: Calls) -> None:
    provider.fills_in(approved=True, notes="Fine.", verdicts=[verdict(1, supported=False)])
    assert not (await check(calls, finding(1))).approved


async def test_a_model_that_says_no_is_heeded(provider: Any, calls: Calls) -> None:
    provider.fills_in(approved=False, notes="Flight is missing.", verdicts=[verdict(1)])
    result = await check(calls, finding(1))
    assert (result.approved, result.notes) == (False, "Flight is missing.")


async def write(calls: Calls, **more: Any) -> Any:
    return await writer.write(
        calls,
        topic="Bees",
        findings=[finding(1), finding(2)],
        library=LIBRARY,
        **more,
    )


async def test_citations_of_claims_that_do_not_exist_are_dropped(
    provider: Any, calls: Calls
) -> None:
    body = "They dance [1][7].\n\nThey also sing.\n\nThey fly [2, 9]."
    sections = [
        {"heading": "Dance", "body": body},
        {"heading": "Invented", "body": "Bees read books [12]."},
    ]
    provider.fills_in(title="Bees", summary="Bees dance [1].", sections=sections, note="")
    draft = await write(calls)
    [section] = draft.report.sections
    assert [each.text for each in draft.left_out] == ["They also sing.", "Bees read books."]
    assert section.body == "They dance [1].\n\nThey fly [2]."


async def test_a_report_that_cites_nothing_is_sent_back_with_the_reason(
    provider: Any, calls: Calls
) -> None:
    sections = [{"heading": "Dance", "body": "They dance [1]."}]
    uncited = [{"heading": "Dance", "body": "They dance."}]
    provider.fills_in(title="Bees", summary="Bees dance [1].", sections=uncited, note="")
    provider.fills_in(title="Bees", summary="Bees dance [1].", sections=sections, note="")
    assert (await write(calls)).report.summary == "Bees dance [1]."
    assert Uncited.advice in provider.requests[1]["messages"][-1]["content"]


async def test_a_summary_that_cites_nothing_is_made_of_the_sections(
    provider: Any, calls: Calls
) -> None:
    sections = [{"heading": "Dance", "body": "They dance [1]. They fly [2]."}]
    provider.fills_in(title="Bees", summary="Bees are nice.", sections=sections, note="")
    draft = await write(calls)
    assert draft.report.summary == "They dance [1]."
    assert [each.text for each in draft.left_out] == ["Bees are nice."]


USELESS = [
    (
        '{"title": "Bees", "summary": "Nice.", "sections": [{"heading": "A", "body": "Nice."}]}',
        "stop",
    ),
    ('{"title": "Bees", "summary": "Bees. Bees. Bees. Bees.', "length"),  # repeats itself for ever
    ("Bees are nice.", "stop"),  # no report
    ("", "stop"),
]


@pytest.mark.parametrize(("text", "finish"), USELESS)
async def test_a_first_draft_of_no_use_gives_way_to_the_claims_as_they_are(
    provider: Any, calls: Calls, text: str, finish: str
) -> None:
    for _ in range(3):
        provider.says(text, finish)
    draft = await write(calls)
    assert draft.assembled
    assert draft.report.title == "Bees"
    [section] = draft.report.sections
    assert (section.heading, section.body) == ("Dance", "Bees dance (1) [1]. Bees dance (2) [2].")
    assert draft.report.summary == "Bees dance (1) [1]."


@pytest.mark.parametrize(("text", "finish"), USELESS)
async def test_a_revision_of_no_use_is_none(
    provider: Any, calls: Calls, text: str, finish: str
) -> None:
    for _ in range(3):
        provider.says(text, finish)
    with pytest.raises(UnusableAnswer):
        await write(calls, wish=Wish(previous="# Bees", comment="Shorter, please."))


async def test_a_comment_reaches_the_writer_with_the_text_it_is_about(
    provider: Any, calls: Calls
) -> None:
    sections = [{"heading": "Dance", "body": "They dance [1]."}]
    provider.fills_in(title="Bees", summary="Dance [1].", sections=sections, note="Shortened.")
    draft = await write(calls, wish=Wish(previous="# Bees\n\nLong.", comment="Shorter, please."))
    told = asked(provider)
    assert (told["previous"], told["comment"]) == ("# Bees\n\nLong.", "Shorter, please.")
    assert draft.report.note == "Shortened."


async def test_remarks_on_passages_reach_the_writer_with_what_they_are_about(
    provider: Any, calls: Calls
) -> None:
    sections = [{"heading": "Dance", "body": "They dance [1]."}]
    answers = [{"remark": "1", "done": True, "reason": "Shortened."}]
    provider.fills_in(title="Bees", summary="Dance [1].", sections=sections, answers=answers)
    remark = PassageRemark(passage="Long.", comment="Shorter, please.")
    draft = await write(calls, wish=Wish(previous="# Bees\n\nLong.", remarks=[remark]))
    [told] = asked(provider)["remarks"]
    assert told == {"number": 1, "passage": "Long.", "comment": "Shorter, please.", "instead": None}
    [answer] = draft.report.answers
    assert (answer.remark, answer.done, answer.reason) == (1, True, "Shortened.")


async def test_without_a_comment_there_is_no_note(provider: Any, calls: Calls) -> None:
    sections = [{"heading": "Dance", "body": "They dance [1]."}]
    provider.fills_in(title="Bees", summary="Dance [1].", sections=sections, note="All is true.")
    assert (await write(calls)).report.note == ""
