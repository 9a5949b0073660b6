"""The trees are those of certificate transparency, and a path proves one leaf at one place."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from countersign.proof.merkle import leaf_hash, path_of, root_from, root_of

ENTRIES = [
    bytes.fromhex(text)
    for text in (
        "",
        "00",
        "10",
        "2021",
        "3031",
        "40414243",
        "5051525354555657",
        "606162636465666768696a6b6c6d6e6f",
    )
]
"""The test data of the reference implementation of certificate transparency."""
ROOTS = {
    1: "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    2: "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    3: "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    8: "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
}


@pytest.mark.parametrize(("size", "root"), ROOTS.items())
def test_the_roots_are_those_of_the_reference_implementation(size: int, root: str) -> None:
    assert root_of([leaf_hash(entry) for entry in ENTRIES[:size]]).hex() == root


def test_the_root_of_nothing_is_the_hash_of_nothing() -> None:
    assert root_of([]) == hashlib.sha256(b"").digest()


@given(size=st.integers(1, 40), data=st.data())
def test_a_path_leads_from_its_leaf_at_its_place_to_the_root_and_from_no_other(
    size: int, data: st.DataObject
) -> None:
    leaves = [leaf_hash(bytes([number])) for number in range(size)]
    index = data.draw(st.integers(0, size - 1))
    path, root = path_of(leaves, index), root_of(leaves)
    assert root_from(leaves[index], index, size, path) == root
    assert root_from(leaf_hash(b"other"), index, size, path) != root
    place = data.draw(st.integers(-1, size + 1).filter(lambda place: place != index))
    assert root_from(leaves[index], place, size, path) != root
    assert root_from(leaves[index], index, size, [*path, root]) is None or size == 1
    if path:
        assert root_from(leaves[index], index, size, path[:-1]) != root
