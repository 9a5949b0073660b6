"""Read what a conversation asks, and what it shows."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, cast

from agent_framework import Content, Message

from countersign.team.extractive.relevance import Shown

SAID = "what was said"


def question(messages: Sequence[Message]) -> Mapping[str, Any]:
    """Return the JSON object that the user asks with, an empty one if it is none."""
    parsed = _parsed(last_user_text(messages))
    return cast("Mapping[str, Any]", parsed) if isinstance(parsed, dict) else {}


def last_user_text(messages: Sequence[Message]) -> str:
    """Return what the user said last."""
    texts = [message.text for message in messages if message.role == "user"]
    return texts[-1] if texts else ""


def shown_passages(messages: Sequence[Message]) -> list[Shown]:
    """Return the passages that tools have shown, in order, each once."""
    results = (part for message in messages for part in message.contents)
    shown = (
        passage
        for result in results
        if result.type == "function_result"
        for passage in _passages(result)
    )
    return list(dict.fromkeys(shown))


def said(messages: Sequence[Message]) -> list[Shown]:
    """Return the texts of the conversation itself as passages."""
    return [Shown(source=SAID, title="", text=message.text) for message in messages if message.text]


def word_count(messages: Sequence[Message]) -> int:
    """Return the number of words in a conversation, what tools have shown included."""
    parts = (part for message in messages for part in message.contents)
    return sum(len(f"{part.text or ''} {part.result or ''}".split()) for part in parts)


def _passages(result: Content) -> list[Shown]:
    parsed = _parsed(str(result.result))
    return (
        [_shown(passage) for passage in cast("list[Any]", parsed)]
        if isinstance(parsed, list)
        else []
    )


def _shown(passage: Mapping[str, Any]) -> Shown:
    return Shown(
        source=str(passage.get("source", "")),
        title=str(passage.get("title", "")),
        text=str(passage.get("text", "")),
    )


def _parsed(text: str) -> object:
    try:
        return json.loads(text)
    except ValueError:
        return None
