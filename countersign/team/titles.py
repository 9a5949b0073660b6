"""A report's title, where that is only what was asked for."""

from __future__ import annotations

from typing import Final

from countersign.sources.terms import words
from countersign.team.wording import asks

TOPIC: Final = "Topic: {}"
"""A topic may claim what no source says, so it says what it is."""


def titled(title: str, topic: str) -> str:
    """Return a title that claims nothing by being a topic; a question claims nothing anyway."""
    return TOPIC.format(title) if words(title) == words(topic) and not asks(topic) else title
