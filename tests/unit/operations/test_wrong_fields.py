"""A body that can't be taken is refused in plain words, field by field."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from countersign.bodies.body import QuestionBody, WithdrawBody
from countersign.kinds.registry import known_kinds
from countersign.operations.wrong_fields import FORMS, wrong_fields

BODIES = [
    QuestionBody,
    WithdrawBody,
    *(kind.request_body() for kind in known_kinds()),
    *(kind.decision_body() for kind in known_kinds()),
]
PYDANTICS = re.compile(
    r"Input should|should (have|match)|Field required|Extra inputs|Value error|Unable"
)


class Sample(BaseModel):
    """A field for each wrong value below."""

    model_config = ConfigDict(strict=True, extra="forbid")

    name: str = Field(min_length=1, max_length=3)
    count: int = Field(default=1, ge=1, le=9)
    mood: Literal["good", "bad"] = "good"
    note: str = Field(default="", max_length=2_000)
    tags: list[str] = Field(default=[], min_length=1, max_length=2)


@pytest.mark.parametrize(
    ("body", "field", "reason"),
    [
        ({}, "name", "it is required"),
        ({"name": ""}, "name", "it must not be empty"),
        ({"name": "four"}, "name", "it must have at most 3 characters"),
        ({"name": 1}, "name", "it must be text"),
        ({"name": "a", "count": "1"}, "count", "it must be a whole number"),
        ({"name": "a", "count": 10}, "count", "it must be at most 9"),
        ({"name": "\ud800"}, "name", "it must be valid Unicode text"),
        ({"name": "a", "mood": "odd"}, "mood", "it must be 'good' or 'bad'"),
        ({"name": "a", "note": "x" * 2_001}, "note", "it must have at most 2,000 characters"),
        ({"name": "a", "tags": []}, "tags", "it must not be empty"),
        ({"name": "a", "tags": ["b", 1]}, "tags.1", "it must be text"),
        ({"name": "a", "wish": 1}, "wish", "there is no such field"),
        ([], "body", "it must be an object"),
    ],
)
def test_the_reason_names_what_the_field_must_be(body: Any, field: str, reason: str) -> None:
    with pytest.raises(ValidationError) as caught:
        Sample.model_validate(body)
    assert wrong_fields(caught.value, whole="body") == {field: reason}


def patterns_in(schema: object) -> Iterator[str]:
    if isinstance(schema, dict):
        if isinstance(schema.get("pattern"), str):
            yield schema["pattern"]
        for each in schema.values():
            yield from patterns_in(each)
    elif isinstance(schema, list):
        for each in schema:
            yield from patterns_in(each)


def test_a_text_of_the_wrong_form_is_told_what_it_must_be() -> None:
    class Digest(BaseModel):
        digest: str = Field(pattern=r"^[0-9a-f]{64}$")

    with pytest.raises(ValidationError) as caught:
        Digest.model_validate({"digest": "abc"})
    reason = wrong_fields(caught.value, whole="body")["digest"]
    assert reason == "it must be a SHA-256 of 64 hexadecimal digits, in lower case"


def test_each_pattern_of_a_body_has_words() -> None:
    patterns = {
        each for body in BODIES for each in patterns_in(body.model_json_schema(mode="validation"))
    }
    # Numbers that are sent as text are parsed by code, which says what is wrong with them.
    assert {each for each in patterns if not each.startswith("^[0-9]{1,")} <= set(FORMS)


def names_in(schema: object) -> Iterator[str]:
    if isinstance(schema, dict):
        yield from schema.get("properties", {})
        for each in schema.values():
            yield from names_in(each)
    elif isinstance(schema, list):
        for each in schema:
            yield from names_in(each)


NAMES = sorted({name for body in BODIES for name in names_in(body.model_json_schema())})
ANY_TEXT = st.text(st.characters(exclude_categories=()))
"""Half a surrogate pair too, which JSON can carry and UTF-8 can't."""
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | ANY_TEXT | st.just("approve"),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=4)
    ),
)


@given(
    model=st.sampled_from(BODIES),
    body=st.dictionaries(st.sampled_from(NAMES), VALUES),
)
def test_no_body_of_the_api_is_refused_in_the_words_of_a_library(
    model: type[BaseModel], body: dict[str, Any]
) -> None:
    try:
        model.model_validate(body)
    except ValidationError as error:
        reasons = wrong_fields(error, whole="body").values()
        assert [each for each in reasons if PYDANTICS.search(each)] == []
