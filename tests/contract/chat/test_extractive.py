"""The embedded model keeps the contract of any chat client of the framework."""

from __future__ import annotations

from typing import Any

import pytest
from agent_framework import Agent, Message
from pydantic import BaseModel

from countersign.team.errors import RequestRefused
from countersign.team.extractive.client import NOTHING, ExtractiveChatClient
from countersign.team.models import Plan, Research
from countersign.team.questions import Shown, question

BEES = (
    "Honey bees dance to tell each other where the flowers are. A hive holds one queen. "
    "The dance of the bees shows the direction of the flowers."
)
ASKED = {"topic": "The dance of honey bees", "subtopic": "dance"}
QUESTION = question(ASKED, [Shown("bees.md", "Bees", BEES)])


def agent(**more: Any) -> Agent[Any]:
    return Agent(client=ExtractiveChatClient(), name="Tester", **more)


async def test_it_fills_in_the_form_with_what_it_is_shown() -> None:
    reply = await agent().run(QUESTION, options={"response_format": Research})
    assert reply.value
    assert [finding.quote for finding in reply.value.findings] == [
        "Honey bees dance to tell each other where the flowers are.",
        "The dance of the bees shows the direction of the flowers.",
    ]


async def test_it_streams_what_it_would_answer_at_once() -> None:
    options: Any = {"response_format": Research}
    whole = await agent().run(QUESTION, options=options)
    stream = agent().run(QUESTION, options=options, stream=True)
    assert [update async for update in stream]
    streamed = await stream.get_final_response()
    assert streamed.value == whole.value
    assert streamed.usage_details == whole.usage_details


async def test_it_counts_the_words_it_read_and_wrote() -> None:
    reply = await agent().run("What is a hive?")
    words = len(NOTHING.split())
    assert reply.usage_details == {
        "input_token_count": 4,
        "output_token_count": words,
        "total_token_count": 4 + words,
    }


async def test_it_answers_a_plain_question_with_the_best_sentences_it_was_told() -> None:
    reply = await agent().run([Message("user", [BEES]), Message("user", ["What holds a hive?"])])
    assert reply.text == "\u201cA hive holds one queen.\u201d"


async def test_it_says_so_when_it_was_told_nothing_on_the_question() -> None:
    reply = await agent().run([Message("user", [BEES]), Message("user", ["Who built Rome?"])])
    assert reply.text == NOTHING


async def test_it_finds_nothing_without_being_shown_anything() -> None:
    reply = await agent().run(question(ASKED), options={"response_format": Research})
    assert reply.value == Research(findings=[])


class Poem(BaseModel):
    lines: list[str]


@pytest.mark.parametrize(
    ("form", "question"),
    [
        (Poem, QUESTION),  # a form of somebody else's
        ({"type": "json_object"}, QUESTION),  # any form at all
        (Plan, "Make me a plan."),  # not a question of this team
    ],
)
async def test_it_refuses_what_it_cannot_do(form: Any, question: str) -> None:
    with pytest.raises(RequestRefused):
        await agent().run(question, options={"response_format": form})


async def test_equal_questions_get_equal_answers() -> None:
    options: Any = {"response_format": Research}
    replies = [(await agent().run(QUESTION, options=options)).text for _ in range(3)]
    assert len(set(replies)) == 1
