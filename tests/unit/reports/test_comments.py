"""Comments on passages, and what the writer's answers say of them."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from countersign.reports.comments import (
    UNANSWERED,
    PassageComment,
    ReviewComments,
    answers_in,
    read_comments,
)
from countersign.stores.artifacts import DamagedArtifact
from countersign.stores.memory import MemoryArtifacts
from countersign.team.models import RemarkAnswer, Report, Section
from countersign.team.wish import PassageRemark, Wish

REMARKS = [PassageRemark(passage="They fly.", comment=each) for each in ("One", "Two")]


def report(*answers: RemarkAnswer) -> Report:
    sections = [Section(heading="Bees", body="They fly [1].")]
    return Report(title="Bees", summary="They fly [1].", sections=sections, answers=list(answers))


def test_each_comment_has_one_answer_whatever_a_model_says() -> None:
    told = [
        RemarkAnswer(remark=2, done=True, reason="Shortened."),
        RemarkAnswer(remark=2, done=False, reason="Or not."),
        RemarkAnswer(remark=7, done=True, reason="Of nothing."),
    ]
    answers = [
        (each.comment, each.done, each.reason) for each in answers_in(report(*told), REMARKS)
    ]
    assert answers == [(1, False, UNANSWERED), (2, True, "Shortened.")]


def test_a_wish_in_words_has_all_that_is_said_about_passages() -> None:
    remarks = [
        PassageRemark(passage="They fly.", comment="How far?"),
        PassageRemark(passage="Far.", instead="Five kilometres."),
        PassageRemark(passage="Always.", comment="Not so.", instead=""),
    ]
    assert Wish(previous="# Bees", comment="Shorter.", remarks=remarks).in_words.split("\n\n") == [
        "Shorter.",
        "On “They fly.”: How far?",
        "On “Far.”: Write “Five kilometres.”.",
        "On “Always.”: Not so. Leave it out.",
    ]


async def test_stored_comments_are_read_back_and_nothing_else_is() -> None:
    artifacts = MemoryArtifacts()
    said = ReviewComments(comments=[PassageComment(quote="They fly.", start=3, comment="How?")])
    reference = await artifacts.put("home", said.stored())
    assert await read_comments(artifacts, "home", reference) == said.comments
    assert await read_comments(artifacts, "home", None) == []
    other = await artifacts.put("home", b'{"title": "Bees"}')
    with pytest.raises(DamagedArtifact):
        await read_comments(artifacts, "home", other)


@pytest.mark.parametrize(
    "given",
    [
        {"comment": ""},
        {"comment": "  "},
        {"suggestion": "They fly."},
        {"comment": "How?", "start": 2**53},
        {"comment": "How?", "start": -1},
    ],
)
def test_a_comment_says_something_about_a_place_that_a_text_can_have(given: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        PassageComment.model_validate({"quote": "They fly.", "start": 0, **given})


def test_a_passage_can_be_left_out_by_suggestion() -> None:
    assert PassageComment(quote="They fly.", start=0, suggestion="").remark.instead == ""
