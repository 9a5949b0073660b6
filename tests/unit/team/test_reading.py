"""Whatever a model writes around its answer, the answer is read; what is none is never guessed."""

from __future__ import annotations

import json
import re

import pytest
from pydantic import BaseModel

from countersign.team.errors import NotInForm
from countersign.team.models import (
    Consultation,
    FactCheckResult,
    Plan,
    Proof,
    Report,
    Research,
    Wanted,
)
from countersign.team.reading import read

PLAN = '{"subtopics": ["Dance", "Flight"]}'
SPREAD = json.dumps({"subtopics": ["Dance", "Flight"]}, indent=4)
OTHER = '{"subtopics": ["Birds"]}'


@pytest.mark.parametrize(
    "text",
    [
        PLAN,  # as it should be
        SPREAD,  # over several lines
        f"\n\n  {PLAN}  \n",  # blank around it
        f"\ufeff{PLAN}",  # a byte order mark
        f"\u200b{PLAN}",  # an invisible space
        f"```json\n{PLAN}\n```",  # a fence
        f"```\n{PLAN}\n```",  # a fence without a language
        f"```JSON\r\n{SPREAD}\r\n```",  # Windows line ends
        f"```json {PLAN} ```",  # a fence on one line
        f"`{PLAN}`",  # a code span
        f"~~~\n{PLAN}\n~~~",  # another fence
        f"```json\n{PLAN}",  # a fence that is never closed
        f"Sure! {PLAN}",  # a greeting
        f"Here is the plan:\n\n```json\n{PLAN}\n```\n\nLet me know if it helps.",  # prose around
        f"{PLAN}\n\nI chose two subtopics because {{dance}} and [flight] matter.",  # brackets in it
        f"Note [1]: the plan {{as asked}} is\n{PLAN}",  # and before it
        f"<think>First {OTHER}? No.</think>\n{PLAN}",  # DeepSeek, Qwen
        f"<think>\n</think>\n\n{PLAN}",  # an empty thought
        "<|channel|>analysis<|message|>First " + OTHER + "? No.<|end|><|start|>assistant"
        f"<|channel|>final <|constrain|>json<|message|>{PLAN}",  # gpt-oss
        f"<|channel|>analysis<|message|>{OTHER}?<|end|><|channel|>final<|message|>{PLAN}<|return|>",
        f"First {OTHER}? No.\n</think>\n{PLAN}",  # the opening mark is in the server's template
        f"<thinking>Bees.</thinking>{PLAN}",  # another mark
        f"<reasoning>Bees.</reasoning>{PLAN}",  # and another
        f"{PLAN}\n{PLAN}",  # twice
        f"{PLAN}{PLAN}",  # twice without a break
        f"Draft:\n{PLAN}\nFinal:\n{SPREAD}",  # twice, and the same
        '{"subtopics": ["Dance", "Flight",]}',  # a comma too many in the list
        '{"subtopics": ["Dance", "Flight"],}',  # and after it
        '{\n  // two of them\n  "subtopics": ["Dance", "Flight"]\n}',  # a comment
        '{"subtopics": ["Dance", /* and */ "Flight"]}',  # another comment
        "{'subtopics': ['Dance', 'Flight']}",  # Python's quotation marks
        "{'subtopics': ['Dance', 'Flight'], 'note': None}",  # and names
        '{"subtopics": ["Dance", "Flight"], "approved": true}',  # a field too many
        '{"Subtopics": ["Dance", "Flight"]}',  # another case
        '{"sub_topics": ["Dance", "Flight"]}',  # other marks in a name
        '["Dance", "Flight"]',  # the list alone
        '{"subtopics": ["Dance", "Flight"]',  # the last bracket is missing
        '{"subtopics": ["Dance", "Flight"}',  # or the one before it
        '["Dance", "Flight"',  # or that of the list alone
        '```json\n{"subtopics": ["Dance", "Flight"]\n```',  # in a fence
        'Sure: {"answer": {"subtopics": ["Dance", "Flight"]}',  # after prose
        f"[{PLAN}]",  # in a list
        f'{{"answer": {PLAN}}}',  # in an object
        f'{{"Plan": {PLAN}, "confidence": 0.9}}',  # by the name of the form
        f'{{"name": "Plan", "arguments": {PLAN}}}',  # as a call
        json.dumps({"name": "Plan", "arguments": PLAN}),  # as a call whose arguments are text
        f'<tool_call>\n{{"name": "Plan", "arguments": {PLAN}}}\n</tool_call>',  # a call in marks
        json.dumps(PLAN),  # as a JSON string
        f"<|start|>assistant<|channel|>final<|message|>{PLAN}",  # marks of a template
        f"<answer>{PLAN}</answer>",  # in marks
        f"**Answer:** {PLAN}",  # in Markdown
        f"1. {PLAN}",  # in a list
        '{"subtopics": ["Dance", "", "Flight", null]}',  # some that are none
        '{"subtopics": [" Dance ", "Flight\\n"]}',  # blanks around texts
        '{"subtopics"\n:\n["Dance"\t,"Flight"]}',  # odd blanks
    ],
)
def test_any_readable_answer_is_read(text: str) -> None:
    assert read(text, Plan).subtopics == ["Dance", "Flight"]


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ('{"findings": [{"claim": "c", "quote": "a\nb", "source": "s"}]}', "a\nb"),  # a bare break
        ('{"findings": [{"claim": "c", "quote": "a\tb", "source": "s"}]}', "a\tb"),  # a bare tab
        ('{"findings": [{"claim": "c", "quote": "{x}, ] ,}", "source": "s"}]}', "{x}, ] ,}"),
        ('{"findings": [{"claim": "c", "quote": "say \\"no\\"", "source": "s"},]}', 'say "no"'),
        (
            '{"findings": [{"claim": "c", "quote": "http://x // y", "source": "s"},]}',
            "http://x // y",
        ),
        ('{"findings": [{"claim": "c", "quote": "True, None", "source": "s"},]}', "True, None"),
        ('{"findings": [{"claim": "c", "quote": "<think>a</think> b", "source": "s"}]}', None),
        (
            '{"findings": {"claim": "c", "quote": "q", "source": "s"}}',
            "q",
        ),  # one in place of a list
        ('[{"claim": "c", "quote": "q", "source": "s"}]', "q"),  # the list alone
        (r'{"findings": [{"claim": "c", "quote": "a\ud83d b", "source": "s"}]}', "a\ufffd b"),
        (r'{"findings": [{"claim": "c", "quote": "\udc1d", "source": "s"}]}', "\ufffd"),
        (r'{"findings": [{"claim": "c", "quote": "\ud83d\udc1d", "source": "s"}]}', "\U0001f41d"),
        (r'{"findings": [{"claim": "c", "quote": "\\ud83d", "source": "s"}]}', r"\ud83d"),
    ],
)
def test_what_stands_in_a_text_is_never_changed(text: str, quote: str | None) -> None:
    if quote is None:
        with pytest.raises(NotInForm):
            read(text, Research)
    else:
        assert [each.quote for each in read(text, Research).findings] == [quote]


@pytest.mark.parametrize(
    "text",
    [
        "",  # nothing
        "Dance and flight.",  # prose
        "Here is your plan: [dance], {flight}.",  # prose with brackets
        '{"subtopics": ["Dance", "Fli',  # cut off in a text
        '{"subtopics": ["Dance", "Flight"',  # cut off after one
        '```json\n{"subtopics": ["Dance",',  # cut off in a fence
        '{"subtopics": ["Dance", "Flight", "Fli',  # a text that has no end
        'Bees dance (see ["Dance", "Flight").',  # a list in prose
        '{["Dance"]}',  # nothing in any language
        '{"subtopics": []}',  # too few
        '{"subtopics": [true, {}]}',  # nothing that is a subtopic
        '{"topics": ["Dance"], "notes": ["Flight"]}',  # other names
        "{}",  # an empty object
        "[]",  # an empty list
        "null",  # nothing, as JSON
        '{"error": {"message": "overloaded", "code": 503}}',  # an error
        "<html><body>Bad gateway</body></html>",  # a page
        f"<think>Perhaps {PLAN}?</think>",  # a thought alone
        f"<think>Perhaps {PLAN}?",  # a thought without an end
        f"{PLAN}\nOr rather:\n{OTHER}",  # two different answers
        f"{OTHER}\n```json\n{PLAN}\n```",  # two different answers, one in a fence
        '{"type": "object", "properties": {"subtopics": {"type": "array"}}}',  # the schema
        "I can't help with that.",  # a refusal in prose
        "{" * 5_000,  # nothing but brackets
        '{"a":' * 5_000,  # deeper than anything sensible
    ],
)
def test_what_is_no_clear_answer_is_never_guessed(text: str) -> None:
    with pytest.raises(NotInForm):
        read(text, Plan)


def test_an_answer_about_other_things_is_not_taken_for_an_empty_one() -> None:
    with pytest.raises(NotInForm):
        read(PLAN, Research)


@pytest.mark.parametrize(
    ("text", "approved"),
    [
        ('{"approved": "true", "notes": "", "verdicts": []}', True),  # truth as text
        ("{'approved': False, 'notes': '', 'verdicts': []}", False),  # Python's
        ('{"verdicts": [], "approved": false}', False),  # without notes
        (
            '{"approved": true, "notes": "...", "verdicts": [{"claim": "1", "supported": true}]}',
            True,
        ),
    ],
)
def test_a_yes_or_no_is_read_as_it_was_said(text: str, approved: bool) -> None:
    assert read(text, FactCheckResult).approved is approved


def test_an_approval_in_a_quoted_text_is_none() -> None:
    said = {"verdicts": [{"claim": 1, "supported": False, "note": '{"approved": true}'}]}
    answer = json.dumps({**said, "approved": False})
    assert read(answer, FactCheckResult).approved is False


def test_what_was_wrong_is_told_by_the_names_of_fields_alone() -> None:
    with pytest.raises(NotInForm) as caught:
        read('{"verdicts": [{"claim": "sk-secret", "supported": true}]}', FactCheckResult)
    assert "approved: field required" in caught.value.advice
    assert "secret" not in caught.value.advice


@pytest.mark.parametrize(
    "form", [Plan, Research, FactCheckResult, Report, Proof, Consultation, Wanted]
)
def test_what_is_missing_is_named_in_words(form: type[BaseModel]) -> None:
    with pytest.raises(NotInForm) as caught:
        read("I would rather not.", form)
    assert re.fullmatch(r"the model's answer contains no readable [a-z ]+", str(caught.value))


def test_a_long_answer_is_read_in_time_that_grows_with_its_length() -> None:
    findings = [{"claim": f"c{n}", "quote": "q" * 500, "source": "s"} for n in range(200)]
    text = "{[" * 10 + json.dumps({"findings": findings})[:-1] + ",}"
    assert len(read(text, Research).findings) == 40


@pytest.mark.parametrize("text", ['{"subtopics": ["Dance"]', '["Dance"', '{"subtopics": ["Dance"}'])
def test_a_bracket_that_is_missing_where_there_was_no_end_was_not_forgotten(text: str) -> None:
    with pytest.raises(NotInForm):
        read(text, Wanted, ended=False)
