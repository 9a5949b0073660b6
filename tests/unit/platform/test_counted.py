"""A number stands with the right form of its noun."""

from __future__ import annotations

import pytest

from countersign.platform.counted import counted


@pytest.mark.parametrize(
    ("number", "said"),
    [(0, "0 people"), (1, "1 person"), (2, "2 people"), (1_200, "1,200 people")],
)
def test_a_number_has_the_form_of_its_noun(number: int, said: str) -> None:
    assert counted(number, "person", "people") == said
    assert counted(number, "row") == f"{number:,} {'row' if number == 1 else 'rows'}"
