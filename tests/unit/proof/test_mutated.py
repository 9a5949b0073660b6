"""Whatever stands in a file that calls itself a proof, the check ends in a sentence."""

from __future__ import annotations

import contextlib
import io
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from countersign.proof.keys import ProofKey
from countersign.proof.verify import PROVEN, UNCHECKED, WRONG, main

Place: TypeAlias = "tuple[Any, Any]"
"""A container, and the key or number of one of its parts."""

TEXTS = ("", "\r\t\x1b[2J\x85\u2028\u202e", "9" * 400, "NaN", "-0", "1e999")
TIMES = ("0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00")
NUMBERS = (-1, 0, 2**53 - 1, -(2**53) + 1, 1e308)
ODD: st.SearchStrategy[Any] = st.sampled_from([*TEXTS, *TIMES, *NUMBERS, True, None])
ANYTHING: st.SearchStrategy[Any] = st.recursive(
    ODD | st.text(max_size=5) | st.integers(-(2**53) + 1, 2**53 - 1),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=5,
)


def places(value: Any) -> Iterator[Place]:
    """Every part of a JSON value, with the container that it can be exchanged in."""
    keys: Sequence[Any] = ()
    if isinstance(value, dict):
        keys = list(value)
    elif isinstance(value, list):
        keys = range(len(value))
    for key in keys:
        yield value, key
        yield from places(value[key])


def mutate(document: Any, data: st.DataObject) -> None:
    """Exchange a part for something else, or for another part, or drop it."""
    every = list(places(document))
    container, key = data.draw(st.sampled_from(every))
    way = data.draw(st.sampled_from(["odd", "other", "drop"]))
    if way == "drop":
        del container[key]
    elif way == "odd":
        container[key] = data.draw(ANYTHING)
    else:
        other, name = data.draw(st.sampled_from(every))
        container[key] = json.loads(json.dumps(other[name]))


def run(arguments: Sequence[str]) -> tuple[int, str]:
    """The exit code and all that is written to the terminal."""
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True, newline="")
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        code = main(arguments)
    assert isinstance(out.buffer, io.BytesIO)
    return code, out.buffer.getvalue().decode()


def become(parts: Any) -> Callable[[dict[str, Any]], None]:
    """Exchanges all that is signed."""

    def tamper(document: dict[str, Any]) -> None:
        signature = document["signature"]
        document.clear()
        document.update(parts, signature=signature)

    return tamper


@settings(
    max_examples=400,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(data=st.data())
def test_a_mutated_bundle_ends_in_a_verdict(
    bundles: Mapping[str, bytes],
    key: ProofKey,
    tampered: Callable[..., bytes],
    tmp_path: Path,
    data: st.DataObject,
) -> None:
    raw = bundles[data.draw(st.sampled_from(sorted(bundles)))]
    parts = json.loads(raw)
    del parts["signature"]
    for _ in range(data.draw(st.integers(1, 3))):
        mutate(parts, data)
    rechained = data.draw(st.booleans())
    try:
        mutated = tampered(raw, become(parts), rechained=rechained)
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
        # What is no ledger can't be chained, and what is no JSON can't be signed.
        assume(False)
    file = tmp_path / "mutated.json"
    file.write_bytes(mutated)
    code, told = run([str(file), "--key", key.public.text])
    assert code in (PROVEN, WRONG)
    assert all(character.isprintable() or character == "\n" for character in told)


@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_bytes_that_were_cut_and_pasted_end_in_a_verdict(
    bundles: Mapping[str, bytes], tmp_path: Path, data: st.DataObject
) -> None:
    raw = bundles["ordered"]
    start, end = sorted(data.draw(st.integers(0, len(raw))) for _ in range(2))
    mutated = raw[:start] + data.draw(st.binary(max_size=20)) + raw[end:]
    file = tmp_path / "mutated.json"
    file.write_bytes(mutated)
    code, _ = run([str(file)])
    assert code == (UNCHECKED if mutated == raw else WRONG)


MOVING = ("\r", "\t", "\n", "\x1b[1A", "\x85", "\u2028", "\u202e", "\u200b")


@pytest.mark.parametrize("text", MOVING)
def test_no_text_of_a_bundle_moves_another(
    bundles: Mapping[str, bytes],
    key: ProofKey,
    tampered: Callable[..., bytes],
    tmp_path: Path,
    text: str,
) -> None:
    def retitle(document: dict[str, Any]) -> None:
        title = f"Tides{text}Signed with the given key"
        document["rows"][0]["data"]["title"] = document["summary"]["title"] = title

    file = tmp_path / "moving.json"
    file.write_bytes(tampered(bundles["running"], retitle))
    code, told = run([str(file), "--key", key.public.text])
    assert code == PROVEN
    assert ": Tides\\" in told.split("\n")[0]
    assert all(character.isprintable() or character == "\n" for character in told)
