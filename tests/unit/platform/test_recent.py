"""What is kept of what was used last."""

from __future__ import annotations

from countersign.platform.recent import Recent


def test_what_was_used_least_lately_goes_first() -> None:
    recent: Recent[str, int] = Recent(2)
    recent.put("a", 1)
    recent.put("b", 2)
    assert recent.get("a") == 1
    recent.put("c", 3)
    assert [recent.get(key) for key in "abc"] == [1, None, 3]


def test_no_more_is_kept_than_fits_and_nothing_that_is_larger_than_all() -> None:
    recent: Recent[str, str] = Recent(10)
    recent.put("a", "six", 6)
    recent.put("b", "four", 4)
    recent.put("c", "eleven", 11)
    assert [recent.get(key) for key in "abc"] == ["six", "four", None]
    recent.put("d", "five", 5)
    assert [recent.get(key) for key in "abd"] == [None, "four", "five"]


def test_a_value_takes_the_place_and_the_size_of_the_one_before() -> None:
    recent: Recent[str, str] = Recent(10)
    for value in ("one", "two", "three"):
        recent.put("a", value, 6)
    recent.put("b", "beside", 4)
    assert (recent.get("a"), recent.get("b")) == ("three", "beside")
    recent.put("a", "too large", 11)
    assert recent.get("a") is None


def test_what_is_forgotten_leaves_room() -> None:
    recent: Recent[str, str] = Recent(10)
    recent.put("a", "large", 10)
    recent.forget("a")
    recent.forget("a")
    recent.put("b", "large", 10)
    assert (recent.get("a"), recent.get("b")) == (None, "large")
