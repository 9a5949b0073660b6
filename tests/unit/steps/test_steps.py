"""What an activity answers fits into a history, whatever language its words are in."""

from __future__ import annotations

import json

import pytest

from countersign.steps.records import Stop, to_json

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
    stop = Stop(ends_as="needs_revision", reason=words * 4_000)
    given = {"tenant": "t" * 64, "operation_id": "research-" + "0" * 24, **to_json(stop)}
    recorded = json.dumps([json.dumps(given)])
    assert len(recorded.encode("utf-16-le")) < MOST_BYTES
    assert (words * 4_000).startswith(stop.reason)
    assert len(json.dumps(stop.reason)) > 1_000


def test_a_sentence_is_left_as_it_is() -> None:
    sentence = "Two of the three claims do not stand in their sources."
    assert Stop(ends_as="needs_revision", reason=sentence).reason == sentence
