import re

from hypothesis import given
from hypothesis import strategies as st

from countersign.stores.cursor import Position
from countersign.stores.table_keys import (
    key_of,
    moment_key,
    newest_first,
    number_key,
    soonest_first,
)

LONGEST = 512  # characters: 1 KiB of UTF-16

names = st.text(max_size=150) | st.text("ab:=~%", max_size=5) | st.text("aä", min_size=180)
positions = st.builds(
    Position,
    st.integers(-(2**63), 2**63 - 1) | st.integers(0, 2),
    st.text("abé", max_size=3) | names,
)


def is_legal(key: str) -> bool:
    return len(key) <= LONGEST and not re.search(r"[/\\#?%\x00-\x1f\x7f-\x9f]", key)


@given(one=st.tuples(names, names), other=st.tuples(names, names))
def test_different_names_have_different_legal_keys(
    one: tuple[str, str], other: tuple[str, str]
) -> None:
    assert is_legal(key_of("tenant", *one))
    assert (key_of(*one) == key_of(*other)) is (one == other)


@given(one=positions, other=positions)
def test_keys_sort_as_the_positions_do(one: Position, other: Position) -> None:
    short = len((one.operation_id + other.operation_id).encode()) < 100
    if one.number != other.number or short:
        assert (soonest_first(one) < soonest_first(other)) is (one < other)
        assert (newest_first(one) > newest_first(other)) is (one < other)
    assert (soonest_first(one) == soonest_first(other)) is (one == other)
    assert (newest_first(one) == newest_first(other)) is (one == other)
    assert is_legal(key_of("inbox", "r" * 400) + soonest_first(one))


@given(position=positions)
def test_a_moment_comes_before_all_that_happens_in_it(position: Position) -> None:
    assert moment_key(position.number) < soonest_first(position) < f"{moment_key(position.number)};"


@given(position=positions)
def test_what_has_a_number_lies_within_its_key_either_way_round(position: Position) -> None:
    for descending, key in ((False, soonest_first(position)), (True, newest_first(position))):
        start = number_key(position.number, descending=descending)
        assert start < key < f"{start};"


def test_a_usual_key_can_be_read() -> None:
    assert key_of("tenant", "72f988bf", "op 1") == "tenant:72f988bf:op=201"
