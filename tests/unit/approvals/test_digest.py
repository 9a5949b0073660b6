"""A digest is the same for the same content in any spelling, and another for any other."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
import rfc8785
from hypothesis import given, settings
from hypothesis import strategies as st

from countersign.approvals.digest import canonical, proposal_digest, sha256

# A float from 2**53 on is written like an integer and, read back as one, is refused.
scalars = (
    st.none()
    | st.booleans()
    | st.integers(-(2**53) + 1, 2**53 - 1)
    | st.floats(-(2.0**53), 2.0**53, exclude_min=True, exclude_max=True)
    | st.text()
)
values: st.SearchStrategy[Any] = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


def _digest(**changes: Any) -> str:
    facts: dict[str, Any] = {
        "kind": "research",
        "tenant": "contoso",
        "operation_id": "op-1",
        "version": 1,
        "content": {"title": "Tides", "text": "The moon."},
    }
    return proposal_digest(**{**facts, **changes})


@settings(max_examples=100, deadline=None)
@given(value=values)
def test_canonical_bytes_are_json_of_the_same_value_and_stay_themselves(value: Any) -> None:
    assert canonical(json.loads(canonical(value))) == canonical(value)
    assert json.loads(canonical(value)) == value


@settings(max_examples=300, deadline=None)
@given(value=values)
def test_they_are_the_bytes_of_the_standard_however_they_are_made(value: Any) -> None:
    assert canonical(value) == rfc8785.dumps(value)


def test_every_character_is_written_as_the_standard_says() -> None:
    everything = "".join(map(chr, [*range(0xD800), *range(0xE000, 0x11000)]))
    assert canonical([everything]) == rfc8785.dumps([everything])


@settings(max_examples=50, deadline=None)
@given(value=st.dictionaries(st.text(), values, min_size=2))
def test_the_order_of_keys_does_not_matter(value: dict[str, Any]) -> None:
    assert canonical(dict(reversed(value.items()))) == canonical(value)


def test_keys_are_sorted_by_utf_16_code_units() -> None:
    # RFC 8785, section 3.2.3: an emoji's first surrogate sorts before U+FB33.
    assert canonical({"\ufb33": 1, "\U0001f600": 2}) == '{"\U0001f600":2,"\ufb33":1}'.encode()


def test_a_number_has_one_spelling() -> None:
    assert canonical([1.0, 1e2, -0.0, 0.1]) == b"[1,100,0,0.1]"


def test_text_is_taken_as_it_is_composed_or_not() -> None:
    assert canonical("\u00e9") == b'"\xc3\xa9"'
    assert canonical("\u00e9") != canonical("e\u0301")


@pytest.mark.parametrize(
    "value",
    [math.nan, math.inf, -math.inf, 2**53, "\ud800", {"\ud800": 1}, {1: "a"}, b"bytes", {1, 2}],
)
def test_what_is_not_json_is_refused(value: Any) -> None:
    with pytest.raises(ValueError, match="not representable as canonical JSON"):
        canonical({"inside": [value]})


def test_sha256_is_that_of_the_standard() -> None:
    # FIPS 180-4, the example "abc".
    expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert sha256(b"abc") == expected


@pytest.mark.parametrize(
    "change",
    [
        {"kind": "purchase"},
        {"tenant": "fabrikam"},
        {"operation_id": "op-2"},
        {"version": 2},
        {"content": {"title": "Tides", "text": "The moon!"}},
        {"content": {"title": "Tides", "text": "The moon.", "note": None}},
    ],
)
def test_a_digest_binds_kind_tenant_operation_version_and_content(change: dict[str, Any]) -> None:
    assert _digest(**change) != _digest()


def test_a_digest_is_64_hexadecimal_digits_and_the_same_every_time() -> None:
    assert _digest() == _digest(content={"text": "The moon.", "title": "Tides"})
    assert len(bytes.fromhex(_digest())) == 32
