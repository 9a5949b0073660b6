from __future__ import annotations

import json

import pytest
from pydantic import BaseModel, ValidationError

from countersign.team.models import FactCheckResult, Finding, Findings, Plan, Report, Verdict


@pytest.mark.parametrize(
    ("form", "text"),
    [
        (Verdict, '{"claim": 1, "supported": "false", "note": ""}'),  # truthy text
        (Verdict, '{"claim": "1", "supported": true, "note": ""}'),  # a number as text
        (Verdict, '{"claim": 1, "supported": 1, "note": ""}'),  # a number as truth
        (Finding, '{"claim": " ", "quote": "q", "source": "s"}'),  # nothing but space
        (Finding, '{"claim": "c", "quote": "q", "source": "s", "approved": true}'),  # one too many
        (Plan, '{"subtopics": ["a", "b", "c", "d", "e", "f", "g"]}'),  # too many
        (Plan, json.dumps({"subtopics": ["a" * 301]})),  # too long
        (Findings, json.dumps({"findings": [{"claim": "c" * 1001, "quote": "q", "source": "s"}]})),
        (FactCheckResult, '{"approved": null, "notes": "", "verdicts": []}'),  # neither yes nor no
        (Report, '{"title": "t", "summary": "s", "sections": []}'),  # no sections
    ],
)
def test_a_form_takes_nothing_but_what_it_says(form: type[BaseModel], text: str) -> None:
    with pytest.raises(ValidationError):
        form.model_validate_json(text)


@pytest.mark.parametrize("form", [Plan, Findings, FactCheckResult, Report])
def test_a_schema_for_a_model_has_no_bounds_on_lengths(form: type[BaseModel]) -> None:
    schema = json.dumps(form.model_json_schema())
    assert not any(bound in schema for bound in ("minLength", "maxLength", "minItems", "maxItems"))


def test_forms_go_through_json_unchanged() -> None:
    findings = Findings(findings=[Finding(claim="c", quote="q", source="s")])
    assert Findings.model_validate_json(findings.model_dump_json()) == findings
    assert Findings.model_validate(findings.model_dump()) == findings
