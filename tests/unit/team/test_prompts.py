"""Prompts are files with a version: what was said to a model can be found out later."""

from __future__ import annotations

from hashlib import sha256

import pytest

from countersign.team import roles
from countersign.team.roles import PROMPTS, Request, Role

VERSIONS = {
    "check": (6, "ca8d752ba8b0"),
    "consult": (2, "5ff3072a6d63"),
    "plan": (2, "37a0b63ceaa3"),
    "proofread": (2, "f4f324e99d5d"),
    "research": (3, "128dbdbfb8bf"),
    "revise": (1, "cb25b8a6c835"),
    "write": (3, "4aba86d71bff"),
}
"""Of each prompt its version and how its SHA-256 begins: who changes one raises its version."""

OURS = [each for each in vars(roles).values() if isinstance(each, Role)]


def test_every_prompt_belongs_to_a_role_and_has_a_version() -> None:
    assert (
        {path.stem for path in PROMPTS.iterdir()} == {role.file for role in OURS} == set(VERSIONS)
    )


@pytest.mark.parametrize("file", VERSIONS)
def test_a_prompt_that_changed_has_another_version(file: str) -> None:
    version, digest = VERSIONS[file]
    head = (PROMPTS / f"{file}.md").read_text("utf-8").partition("\n")[0]
    assert head == f"<!-- {file}, version {version} -->"
    assert sha256(Role(name="", file=file).prompt.encode()).hexdigest().startswith(digest)


@pytest.mark.parametrize("role", OURS, ids=lambda role: role.file)
def test_a_prompt_ends_with_its_most_important_rule_and_has_an_example_of_each(role: Role) -> None:
    assert role.prompt.count("Example") == 1
    assert "ood" in role.prompt
    assert "ad: {" in role.prompt or "bad is {" in role.prompt
    assert "Most important:" in role.prompt.split("\n\n")[-1]
    assert '"..."' not in role.prompt


def test_a_request_says_by_which_prompt_it_was_made() -> None:
    request = Request(role="R", prompt="Be brief.", question="?", form={})
    assert request.prompt_digest == sha256(b"Be brief.").hexdigest()
