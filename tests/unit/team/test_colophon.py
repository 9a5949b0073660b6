"""What a report says of itself is true of each version."""

from __future__ import annotations

import pytest

from countersign.team.chat import ModelChoice
from countersign.team.colophon import EDITED, colophon, edited
from countersign.team.report import plain

CHOICES = [
    ModelChoice(provider="extractive"),
    ModelChoice(provider="compatible", model="a*b_c", base_url="http://x/v1"),
]


@pytest.mark.parametrize("choice", CHOICES)
def test_an_edited_text_no_longer_says_how_the_one_before_was_made(choice: ModelChoice) -> None:
    text = f"# Bees\n\nThey dance.\n\n## Sources\n\n1. One\n\n*{plain(colophon(choice))}*\n"
    changed = edited(text.replace("dance", "fly"))
    assert changed == f"# Bees\n\nThey fly.\n\n## Sources\n\n1. One\n\n{EDITED}\n"


def test_a_text_that_is_edited_again_says_so_once() -> None:
    assert edited(edited("Mine.")) == edited("Mine.") == f"Mine.\n\n{EDITED}\n"


def test_other_emphasis_stays() -> None:
    assert edited("*Written by hand.*\n") == f"*Written by hand.*\n\n{EDITED}\n"
