"""Read what a conversation asks, and what it shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from agent_framework import Message

from countersign.team.questions import Shown, read

SAID = "what was said"


def question(messages: Sequence[Message]) -> tuple[Mapping[str, Any], list[Shown]]:
    """Return what the user asks, an empty object if that is no question, and what is shown."""
    return read(last_user_text(messages))


def last_user_text(messages: Sequence[Message]) -> str:
    """Return what the user said last."""
    texts = [message.text for message in messages if message.role == "user"]
    return texts[-1] if texts else ""


def said(messages: Sequence[Message]) -> list[Shown]:
    """Return the texts of the conversation itself as passages."""
    return [Shown(source=SAID, title="", text=message.text) for message in messages if message.text]


def word_count(messages: Sequence[Message]) -> int:
    """Return the number of words in a conversation."""
    return sum(len(message.text.split()) for message in messages)
