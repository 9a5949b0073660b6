"""What an activity answers fits into a history, whatever language its words are in."""

from __future__ import annotations

import json

import pytest

from countersign.operations.endings import stop

MOST_BYTES = 8_192

REASONS = {
    "letters": "the sources say nothing of it ",
    "ideographs": "資料には何も書かれていない",
    "beyond the basic plane": "📄❌",
    "quotation marks": '"',
    "backslashes": "\\",
    "control characters": "\x07",
}


@pytest.mark.parametrize("words", REASONS.values(), ids=list(REASONS))
def test_a_reason_fits_where_it_is_escaped_twice(words: str) -> None:
    answer = stop("needs_revision", words * 4_000)
    order = {"tenant": "t" * 64, "operation_id": "research-" + "0" * 24, **answer}
    recorded = json.dumps([json.dumps(order)])
    assert len(recorded.encode("utf-16-le")) < MOST_BYTES
    assert (words * 4_000).startswith(answer["reason"])
    assert len(json.dumps(answer["reason"])) > 1_000


def test_a_sentence_is_left_as_it_is() -> None:
    sentence = "Two of the three claims do not stand in their sources."
    assert stop("needs_revision", sentence)["reason"] == sentence
