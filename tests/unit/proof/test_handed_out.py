"""A proof that was handed out once holds for ever, whatever becomes of the rules and the form.

The files begin with the version of their form. Those of the first two were recorded by the rules of
their time, those from the third on come from a running app or have what was erased there.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from countersign.approvals.digest import canonical
from countersign.proof.anchors import read_anchors
from countersign.proof.bundle import WITH_PASSKEYS
from countersign.proof.check import check
from countersign.proof.errors import ProofFault
from countersign.proof.findings import findings
from countersign.proof.keys import ProofKey

RECORDED = Path(__file__).parent / "recorded"
NEWEST = WITH_PASSKEYS
FILES = {file.name.removesuffix(".proof.json"): file for file in sorted(RECORDED.iterdir())}
KEY = ProofKey(seed=bytes(range(32))).public

SAYS = {
    "1-ordered": "has no signatures of its own",
    "1-published": "has no signatures of its own",
    "2-anchored": "Its rows until 2026-03-01 are those",
    "3-ordered": "state: ordered",
    "3-person-erased": "erased",
    "3-texts-erased": "erased",
    "4-published": "fan-out-fan-in.md",
    "5-passkey": "passkey",
}
"""Something that only a reader who knows this form can tell of it."""

ANCHOR = {
    "day": "2026-03-01",
    "format": "countersign-anchor 1",
    "root": "c73f8718f070285753f75a95f1cf1dc92a5aba22ff74f61ec2cff23eabb4b0ec",
    "size": 1,
    "tenant": "contoso",
}
ANCHORS = {"2-anchored": read_anchors(canonical(ANCHOR).decode() + "\n")}
"""What was written elsewhere, where something was."""


@pytest.mark.parametrize("name", FILES)
def test_it_still_holds_and_is_still_understood(name: str) -> None:
    told = findings(check(FILES[name].read_bytes(), keys=[KEY], anchors=ANCHORS.get(name)))
    assert any(SAYS[name] in line for line in told), told


@pytest.mark.parametrize("name", FILES)
def test_its_name_tells_its_version(name: str) -> None:
    assert str(json.loads(FILES[name].read_bytes())["format"]["version"]) == name[0]


def test_there_is_one_of_every_version() -> None:
    assert {int(name[0]) for name in FILES} == set(range(1, NEWEST + 1))


@settings(max_examples=300, deadline=None)
@given(data=st.data())
def test_not_one_of_its_bytes_can_be_changed(data: st.DataObject) -> None:
    raw = bytearray(FILES[data.draw(st.sampled_from(list(FILES)))].read_bytes())
    place = data.draw(st.integers(0, len(raw) - 1))
    raw[place] ^= data.draw(st.integers(1, 255))
    with pytest.raises(ProofFault):
        check(bytes(raw))
