"""What a model writes is put right where it can be, and otherwise refused."""

from __future__ import annotations

import json
from typing import Any

import pytest
from pydantic import BaseModel, ValidationError

from countersign.team.models import FactCheckResult, Finding, Plan, Report, Research, Verdict

FINDING = {"claim": "Bees dance.", "quote": "q", "source": "s"}
VERDICT = {"claim": 1, "supported": True, "answers": True, "note": "It says so."}


@pytest.mark.parametrize(
    ("form", "written", "taken"),
    [
        (Verdict, VERDICT | {"claim": "1"}, VERDICT),  # a number as text
        (Verdict, VERDICT | {"claim": "Claim 1"}, VERDICT),  # a number with its name
        (Verdict, VERDICT | {"supported": "true"}, VERDICT),  # truth as text
        (Verdict, VERDICT | {"supported": "no"}, VERDICT | {"supported": False}),  # a plain no
        (Verdict, VERDICT | {"note": "..."}, VERDICT | {"note": ""}),  # dots copied from the prompt
        (Finding, FINDING | {"approved": True}, FINDING),  # a field too many
        (Finding, FINDING | {"source": 7}, FINDING | {"source": "7"}),  # text as a number
        (Plan, {"subtopics": list("abcdefg")}, {"subtopics": list("abcdef")}),  # a seventh
        (Plan, {"subtopics": ["ab " * 101]}, {"subtopics": [" ".join(["ab"] * 100)]}),  # too long
        (Plan, {"subtopics": ["Dance", "", None]}, {"subtopics": ["Dance"]}),  # some that are none
        (Plan, {"subtopics": "Dance"}, {"subtopics": ["Dance"]}),  # one thing in place of a list
        (Research, {"findings": None}, {"findings": [], "look_up": []}),  # nothing at all
        (Research, {"findings": [FINDING, {}]}, {"findings": [FINDING], "look_up": []}),  # half
    ],
)
def test_what_can_be_put_right_is_put_right(
    form: type[BaseModel], written: dict[str, Any], taken: dict[str, Any]
) -> None:
    assert form.model_validate(written).model_dump() == taken


@pytest.mark.parametrize(
    ("form", "written"),
    [
        (Verdict, VERDICT | {"supported": "partially"}),  # neither yes nor no
        (Verdict, VERDICT | {"claim": "the first"}),  # no number
        (Finding, FINDING | {"claim": " "}),  # nothing but space
        (Finding, {"claim": "Bees dance."}),  # no quote
        (Research, {}),  # no findings, not even none
        (Research, {"findings": [{}]}),  # a list of nothing
        (Research, {"findings": "none"}),  # a word
        (FactCheckResult, {"approved": None, "notes": "", "verdicts": []}),  # neither yes nor no
        (Plan, {"subtopics": []}),  # no subtopics
        (Report, {"title": "t", "summary": "s", "sections": []}),  # no sections
    ],
)
def test_what_says_nothing_clear_is_refused(form: type[BaseModel], written: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        form.model_validate(written)


@pytest.mark.parametrize("form", [Plan, Research, FactCheckResult, Report])
def test_a_schema_for_a_model_has_no_bounds_on_lengths(form: type[BaseModel]) -> None:
    schema = json.dumps(form.model_json_schema())
    untold = ("minLength", "maxLength", "minItems", "maxItems", "default")
    assert not any(bound in schema for bound in untold)
