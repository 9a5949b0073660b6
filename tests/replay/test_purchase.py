"""What the story of a purchase has of its own: what a reviewer changes is the next version.

What it shares with other stories is in `test_approval.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

NewCast = Callable[..., Any]


@pytest.fixture
def casting(new_cast: Any) -> NewCast:
    """Nobody works on a version but who asked for it and who corrects it."""
    return lambda *outcomes: new_cast(
        *outcomes,
        prepare_order=lambda order: {},
        submit_order=lambda order: {"published": True},
    )


@pytest.fixture
def purchase(perform: Callable[..., Any]) -> Callable[[Any], Any]:
    """Plays the story with a cast."""
    return lambda cast: perform("purchase", cast)


@pytest.mark.parametrize("step", ["revise", "escalate"])
def test_the_next_version_is_opened_and_nobody_works_on_it(
    casting: NewCast, purchase: Any, step: str
) -> None:
    played = purchase(casting(step, "publish"))
    version = ["open_proposal", "approval_gate"]
    assert played.names() == ["prepare_order", *version * 2, "submit_order", "close_operation"]
    assert played.versions("open_proposal") == [1, 2]


def test_an_order_is_made_up_once_and_without_a_version(casting: NewCast, purchase: Any) -> None:
    cast = casting("revise", "revise", "publish")
    prepared = [order for name, order in purchase(cast).calls if name == "prepare_order"]
    assert prepared == [cast.ORDER]


def test_a_request_that_is_none_ends_before_anybody_is_asked(
    casting: NewCast, purchase: Any
) -> None:
    ending = {"ends_as": "failed", "reason": "The stored request is not a request for an order."}
    cast = casting().answer("prepare_order", **ending)
    played = purchase(cast)
    assert played.calls[1:] == [("close_operation", {**cast.ORDER, **ending})]
