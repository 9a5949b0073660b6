from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from countersign.sources.documents import DocumentLibrary
from countersign.team import fact_checker, researcher, writer
from countersign.team.answers import ChatClient
from countersign.team.budget import TokenBudget
from countersign.team.chat import ModelChoice, chat_client
from countersign.team.errors import (
    BudgetSpent,
    ModelRefused,
    ModelUnavailable,
    TeamError,
    UnusableAnswer,
)
from countersign.team.models import CheckedFinding, Findings, Plan

KEY = "sk-very-secret-key"
MODEL = "stub-model"

HONEY = "Honey bees dance to tell each other where the flowers are."
LIBRARY = DocumentLibrary([{"title": "Bees", "text": f"{HONEY} They fly up to five kilometres."}])
FINDING = {"claim": "Bees dance to point at flowers.", "quote": HONEY, "source": "doc-1"}


@pytest.fixture
def client(provider: Any) -> ChatClient:
    return client_of(provider)


def client_of(provider: Any, **changes: Any) -> ChatClient:
    choice = ModelChoice(
        provider="compatible", model=MODEL, base_url=provider.url, api_key=KEY, **changes
    )
    return chat_client(choice)


def budget() -> TokenBudget:
    return TokenBudget(100_000)


async def plan(client: ChatClient, tokens: TokenBudget | None = None) -> Plan:
    return await researcher.plan(client, topic="Bees", titles=["Bees"], budget=tokens or budget())


async def research(client: ChatClient) -> Findings:
    return await researcher.research(
        client, topic="Bees", subtopic="Dance", notes="", library=LIBRARY, budget=budget()
    )


async def test_a_plan_comes_back_in_its_form(provider: Any, client: ChatClient) -> None:
    provider.fills_in(subtopics=["Dance", "Flight", "Dance"])
    assert (await plan(client)).subtopics == ["Dance", "Flight"]


async def test_the_key_goes_to_the_chosen_url_and_a_stray_one_nowhere(
    provider: Any, client: ChatClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-stray")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    provider.fills_in(subtopics=["Dance"])
    await plan(client)
    assert provider.authorizations == [f"Bearer {KEY}"]


async def test_without_a_key_no_stray_one_is_sent(
    provider: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-stray")
    provider.fills_in(subtopics=["Dance"])
    await plan(chat_client(ModelChoice(provider="compatible", model=MODEL, base_url=provider.url)))
    assert "sk-stray" not in str(provider.authorizations)


async def test_the_form_is_sent_as_a_strict_schema_without_bounds(
    provider: Any, client: ChatClient
) -> None:
    provider.fills_in(subtopics=["Dance"])
    await plan(client)
    sent = provider.requests[0]["response_format"]["json_schema"]
    assert sent["strict"] is True
    assert "max" not in json.dumps(sent["schema"]).lower()


async def test_the_researcher_gets_passages_and_answers_with_findings(
    provider: Any, client: ChatClient
) -> None:
    provider.calls("look_up_topic", query="honey bees dance")
    provider.fills_in(findings=[FINDING])
    found = await research(client)
    assert [finding.quote for finding in found.findings] == [HONEY]
    [result] = [each for each in provider.requests[1]["messages"] if each["role"] == "tool"]
    assert json.loads(result["content"])[0]["source"] == "doc-1"


async def test_a_finding_from_a_source_never_shown_is_left_out(
    provider: Any, client: ChatClient
) -> None:
    provider.calls("look_up_topic", query="honey bees dance")
    provider.fills_in(findings=[FINDING, {**FINDING, "source": "doc-2"}])
    assert len((await research(client)).findings) == 1


async def test_a_model_that_never_looks_anything_up_finds_nothing(
    provider: Any, client: ChatClient
) -> None:
    provider.fills_in(findings=[FINDING])
    assert (await research(client)).findings == []


async def test_a_model_that_looks_things_up_for_ever_is_stopped(
    provider: Any, client: ChatClient
) -> None:
    for _ in range(4):
        provider.calls("look_up_topic", query="honey bees dance")
    provider.fills_in(findings=[])
    await research(client)
    assert provider.requests[-1].get("tool_choice") == "none"


async def test_tool_calls_and_answer_are_all_counted(provider: Any, client: ChatClient) -> None:
    tokens = budget()
    provider.fills_in(subtopics=["Dance"])
    await plan(client, tokens)
    assert tokens.used == 120


async def test_a_provider_that_counts_nothing_is_estimated(
    provider: Any, client: ChatClient
) -> None:
    tokens = budget()
    provider.says('{"subtopics": ["Dance"]}', total_tokens=0, prompt_tokens=0, completion_tokens=0)
    await plan(client, tokens)
    assert 0 < tokens.used < 120


async def test_a_spent_budget_stops_before_the_call(provider: Any, client: ChatClient) -> None:
    with pytest.raises(BudgetSpent, match="100 of 100"):
        await plan(client, TokenBudget(100, used=100))
    assert provider.requests == []


async def test_a_budget_spent_in_a_tool_loop_ends_it(provider: Any, client: ChatClient) -> None:
    provider.calls("look_up_topic", query="honey bees dance")
    with pytest.raises(BudgetSpent):
        await researcher.research(
            client,
            topic="Bees",
            subtopic="Dance",
            notes="",
            library=LIBRARY,
            budget=TokenBudget(120),
        )


@pytest.mark.parametrize(
    ("status", "fault"),
    [
        (401, ModelRefused),  # a bad key
        (403, ModelRefused),  # a key without access
        (404, ModelRefused),  # an unknown model
        (400, ModelRefused),  # too long, or filtered
        (429, ModelUnavailable),  # too many requests
        (500, ModelUnavailable),  # a fault of the provider's
        (503, ModelUnavailable),  # overloaded
    ],
)
async def test_a_refusal_is_final_and_an_outage_is_not(
    provider: Any, status: int, fault: type[TeamError]
) -> None:
    provider.fails(status)
    with pytest.raises(fault) as caught:
        await plan(client_of(provider, retries=0))
    assert str(status) in str(caught.value)
    assert KEY not in str(caught.value)
    assert caught.value.__cause__ is None


async def test_a_short_outage_is_bridged(provider: Any, client: ChatClient) -> None:
    provider.fails(500)
    provider.fills_in(subtopics=["Dance"])
    assert (await plan(client)).subtopics == ["Dance"]


async def test_a_provider_that_hangs_is_left_in_time(provider: Any) -> None:
    provider.hangs()
    client = client_of(provider, request_seconds=0.2, retries=0)
    with pytest.raises(ModelUnavailable):
        await asyncio.wait_for(plan(client), timeout=10)


async def test_nobody_listening_is_an_outage() -> None:
    choice = ModelChoice(
        provider="compatible", model=MODEL, base_url="http://127.0.0.1:9/v1", retries=0
    )
    with pytest.raises(ModelUnavailable):
        await plan(chat_client(choice))


@pytest.mark.parametrize(
    "text",
    [
        "",  # nothing at all
        "Here is your plan: dance, flight.",  # prose
        '{"subtopics": ["Dance"',  # cut off
        '{"subtopics": "Dance"}',  # another type
        '{"subtopics": []}',  # too few
        '{"subtopics": ["Dance"], "approved": true}',  # a field too many
    ],
)
async def test_an_answer_not_in_the_form_is_unusable(
    provider: Any, client: ChatClient, text: str
) -> None:
    provider.says(text)
    with pytest.raises(UnusableAnswer):
        await plan(client)


async def test_an_answer_in_a_code_fence_is_read(provider: Any, client: ChatClient) -> None:
    provider.says('```json\n{"subtopics": ["Dance"]}\n```')
    assert (await plan(client)).subtopics == ["Dance"]


@pytest.mark.parametrize(
    "body",
    [
        b"<html>a proxy's page</html>",  # no JSON
        b'{"detail": "not here"}',  # JSON of another kind
        b"",  # nothing
    ],
)
async def test_an_answer_of_another_api_is_unusable(provider: Any, body: bytes) -> None:
    provider.sends(body)
    with pytest.raises(UnusableAnswer):
        await plan(client_of(provider, retries=0))


def finding(number: int, *, found: bool = True) -> CheckedFinding:
    return CheckedFinding(
        claim=f"Claim {number}.", quote=HONEY, source="doc-1", subtopic="Dance", found=found
    )


async def check(client: ChatClient, *findings: CheckedFinding) -> Any:
    titles = {"doc-1": LIBRARY.source("doc-1").title}
    return await fact_checker.check(
        client, topic="Bees", findings=findings, titles=titles, budget=budget()
    )


def verdict(claim: int, *, supported: bool = True) -> dict[str, Any]:
    return {"claim": claim, "supported": supported, "note": "So it says."}


async def test_a_quote_that_is_not_there_supports_nothing_whatever_the_model_says(
    provider: Any, client: ChatClient
) -> None:
    provider.fills_in(approved=True, notes="", verdicts=[verdict(1), verdict(2)])
    result = await check(client, finding(1), finding(2, found=False))
    assert [each.supported for each in result.verdicts] == [True, False]
    asked = json.loads(provider.requests[0]["messages"][-1]["content"])
    assert [claim["number"] for claim in asked["claims"]] == [1]


async def test_every_claim_gets_exactly_one_verdict(provider: Any, client: ChatClient) -> None:
    verdicts = [verdict(2), verdict(3), verdict(3, supported=False), verdict(9)]
    provider.fills_in(approved=True, notes="", verdicts=verdicts)
    result = await check(client, finding(1), finding(2), finding(3))
    assert [(each.claim, each.supported) for each in result.verdicts] == [
        (1, False),
        (2, True),
        (3, False),
    ]


async def test_nothing_supported_is_never_approved(provider: Any, client: ChatClient) -> None:
    provider.fills_in(approved=True, notes="Fine.", verdicts=[verdict(1, supported=False)])
    assert not (await check(client, finding(1))).approved


async def test_a_model_that_says_no_is_heeded(provider: Any, client: ChatClient) -> None:
    provider.fills_in(approved=False, notes="Flight is missing.", verdicts=[verdict(1)])
    result = await check(client, finding(1))
    assert (result.approved, result.notes) == (False, "Flight is missing.")


async def write(client: ChatClient, **more: Any) -> Any:
    return await writer.write(
        client,
        topic="Bees",
        findings=[finding(1), finding(2)],
        library=LIBRARY,
        budget=budget(),
        **more,
    )


async def test_citations_of_claims_that_do_not_exist_are_dropped(
    provider: Any, client: ChatClient
) -> None:
    body = "They dance [1][7].\n\nThey also sing.\n\nThey fly [2, 9]."
    sections = [
        {"heading": "Dance", "body": body},
        {"heading": "Invented", "body": "Bees read books [12]."},
    ]
    provider.fills_in(title="Bees", summary="Bees dance [1].", sections=sections, note="")
    report = await write(client)
    [section] = report.sections
    assert section.body == "They dance [1].\n\nThey fly [2]."


async def test_a_report_that_cites_nothing_is_unusable(provider: Any, client: ChatClient) -> None:
    sections = [{"heading": "Dance", "body": "They dance [1]."}]
    provider.fills_in(title="Bees", summary="Bees are nice.", sections=sections, note="")
    with pytest.raises(UnusableAnswer):
        await write(client)


async def test_a_comment_reaches_the_writer_with_the_text_it_is_about(
    provider: Any, client: ChatClient
) -> None:
    sections = [{"heading": "Dance", "body": "They dance [1]."}]
    provider.fills_in(title="Bees", summary="Dance [1].", sections=sections, note="Shortened.")
    report = await write(client, previous="# Bees\n\nLong.", comment="Shorter, please.")
    asked = json.loads(provider.requests[0]["messages"][-1]["content"])
    assert (asked["previous"], asked["comment"]) == ("# Bees\n\nLong.", "Shorter, please.")
    assert report.note == "Shortened."


async def test_without_a_comment_there_is_no_note(provider: Any, client: ChatClient) -> None:
    sections = [{"heading": "Dance", "body": "They dance [1]."}]
    provider.fills_in(title="Bees", summary="Dance [1].", sections=sections, note="All is true.")
    assert (await write(client)).note == ""
