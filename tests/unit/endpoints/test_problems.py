from __future__ import annotations

import json

import pytest
from jsonschema import Draft202012Validator
from pydantic import ValidationError

from endpoints.answers.problems import PROBLEMS
from endpoints.problems import Problem

USUAL = {"type", "title", "status", "detail", "code"}
SAMPLES = {
    "rule": "*/*: erased 90 days after it ended",
    "at": "2026-11-30T06:06:22+00:00",
    "by": "Ada",
    "current": 2,
    "decision": "approve",
    "escalated_to": None,
    "fields": {"topic": "it is too long"},
    "most": 20,
    "name": "Ada",
    "needs": "the role Auditor",
    "operation_id": "research-1",
    "question_id": "q1",
    "review_url": "https://example.org/api/review",
    "scope": "user_impersonation",
    "sequence": 3,
    "suffixes": [".md"],
}
"""A value for each fact that a problem has to name."""


@pytest.mark.parametrize("code", ["busy", "keys_unavailable", "store_unavailable"])
def test_what_passes_says_when_to_try_again(code: str) -> None:
    response = Problem(code, "Later.").response()
    assert 1 <= int(response.headers["Retry-After"]) <= 60


@pytest.mark.parametrize("code", ["not_configured", "not_found"])
def test_what_does_not_pass_asks_nobody_to_try_again(code: str) -> None:
    assert "Retry-After" not in Problem(code, "No.").response().headers


@pytest.mark.parametrize("code", PROBLEMS)
def test_a_problem_says_what_it_is_as_rfc_9457_has_it(code: str) -> None:
    schema = PROBLEMS[code].model_json_schema(mode="serialization")
    facts = {name: SAMPLES[name] for name in schema["required"] if name not in USUAL}
    if code == "digest_mismatch":
        facts["current"] = "0" * 64
    response = Problem(code, "So it is.", **facts).response()
    assert response.mimetype == "application/problem+json"
    said = json.loads(response.get_body())
    assert list(Draft202012Validator(schema).iter_errors(said)) == []
    assert said["type"] == f"urn:countersign:problem:{code}"
    assert (said["code"], said["status"]) == (code, response.status_code)


def test_a_problem_with_other_facts_than_its_own_is_a_fault_of_ours() -> None:
    for facts in ({}, {"needs": 1}, {"needs": "a role", "more": "than that"}):
        with pytest.raises(ValidationError):
            Problem("not_authorised", "No.", **facts).response()
