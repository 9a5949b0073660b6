"""A bundle of any operation proves itself, and not one of its bytes can be changed."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from countersign.approvals.digest import canonical, sha256
from countersign.proof.bundle import MOST_BYTES, MOST_PARTS, signed
from countersign.proof.check import check
from countersign.proof.errors import ProofFault
from countersign.proof.findings import findings
from countersign.proof.keys import ProofKey

OUTCOMES = (
    "published",
    "ordered",
    "rejected",
    "expired",
    "withdrawn",
    "write_unknown",
    "failed",
    "running",
    "awaiting_approval",
)


@pytest.mark.parametrize("outcome", OUTCOMES)
def test_a_bundle_of_any_outcome_holds(bundles: Mapping[str, bytes], outcome: str) -> None:
    proof = check(bundles[outcome])
    told = findings(proof)
    assert any(line.startswith(f"state: {outcome}") for line in told)
    assert json.loads(bundles[outcome])["summary"]["state"] == outcome


def test_every_outcome_is_among_them(bundles: Mapping[str, bytes]) -> None:
    assert tuple(bundles) == OUTCOMES


def test_what_it_proves_names_people_roles_digests_and_the_receipt(
    bundles: Mapping[str, bytes], key: ProofKey
) -> None:
    proof = check(bundles["ordered"], keys=[key.public])
    told = "\n".join(findings(proof))
    first, second = proof.operation.proposals
    assert f"version 1: superseded, 1200.00 EUR, digest {first.digest}" in told
    assert f"version 2: approved, 120000.00 EUR, digest {second.digest}" in told
    assert "changes requested by Ann (id id-Ann) as Purchase.Approver at 2026-03-01T" in told
    assert "approved by Bob (id id-Bob) as Purchase.Approver" in told
    assert "approved by Eve (id id-Eve) as Purchase.Escalation" in told
    assert proof.operation.receipt
    assert f"sha256 {proof.operation.receipt['sha256']}" in told
    assert f"Signed with the given key (fingerprint {key.public.id})." in told


def test_people_of_the_same_name_are_told_apart(
    bundles: Mapping[str, bytes], tampered: Callable[..., bytes]
) -> None:
    def rename(document: dict[str, Any]) -> None:
        renamed = json.loads(json.dumps(document).replace('"name": "Bob"', '"name": "Ann"'))
        document.update(renamed)

    told = "\n".join(findings(check(tampered(bundles["ordered"], rename))))
    assert "approved by Ann (id id-Ann) as" in told
    assert "approved by Ann (id id-Bob) as" in told


def test_without_a_key_to_compare_it_says_whose_word_is_taken(
    bundles: Mapping[str, bytes], key: ProofKey
) -> None:
    told = findings(check(bundles["running"]))
    assert "anyone could have made" in told[-1]
    assert key.public.id in told[-1]


def test_another_key_than_the_given_ones_is_no_good(
    bundles: Mapping[str, bytes], key: ProofKey
) -> None:
    other = ProofKey(seed=bytes(32)).public
    with pytest.raises(ProofFault, match="not with the given one"):
        check(bundles["running"], keys=[other])
    assert check(bundles["running"], keys=[other, key.public]).pinned


@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_changed_byte_is_found(bundles: Mapping[str, bytes], data: st.DataObject) -> None:
    raw = bytearray(bundles["ordered"])
    raw[data.draw(st.integers(0, len(raw) - 1))] ^= data.draw(st.integers(1, 255))
    with pytest.raises(ProofFault):
        check(bytes(raw))


@pytest.mark.parametrize("part", ["contents", "exported_at", "format", "operation", "rows"])
def test_any_changed_part_is_found_by_the_signature(
    bundles: Mapping[str, bytes], part: str
) -> None:
    document = json.loads(bundles["ordered"])
    other = json.loads(bundles["published"])
    other["exported_at"], other["format"] = "2020-01-01T00:00:00Z", document["format"]
    assert (document[part] != other[part]) == (part != "format")
    document[part] = other[part]
    if part != "format":
        with pytest.raises(ProofFault, match="its signature does not match its content"):
            check(canonical(document))


def test_every_bit_of_the_signature_and_its_key_counts(bundles: Mapping[str, bytes]) -> None:
    raw = bundles["running"]
    signature = json.loads(raw)["signature"]
    for name in ("value", "public_key", "key_id"):
        text = signature[name]
        start = raw.index(text.encode())
        for place in range(start, start + len(text)):
            for bit in range(8):
                changed = bytearray(raw)
                changed[place] ^= 1 << bit
                with pytest.raises(ProofFault):
                    check(bytes(changed))


def test_saying_that_it_was_no_development_key_is_found(bundles: Mapping[str, bytes]) -> None:
    changed = bundles["running"].replace(b'"development":false', b'"development":true')
    with pytest.raises(ProofFault, match="signature"):
        check(changed)


@pytest.mark.parametrize(
    "change",
    [
        lambda raw: raw + b"\n",
        lambda raw: b" " + raw,
        lambda raw: b"\xef\xbb\xbf" + raw,
        lambda raw: raw.decode().encode("utf-16"),
        lambda raw: raw.replace(b'":', b'": ', 1),
        lambda raw: raw.replace(b'{"contents"', b'{"contents":{},"contents"', 1),
        lambda raw: raw.replace(b"contoso", b"c\\u006fntoso"),
        lambda raw: raw[:-1],
        lambda raw: raw[: len(raw) // 2],
        lambda raw: raw + raw,
        lambda _: b"",
        lambda _: b"null",
        lambda _: b"[]",
        lambda _: b"NaN",
        lambda _: b'"\\ud800"',
        lambda _: b"\xff\xfe",
        lambda _: b"9" * 5000,
        lambda _: b"12345678901234567890",
        lambda _: b"1e400",
        lambda _: b"[" * 200_000,
        lambda _: b"[" * 200_000 + b"]" * 200_000,
        lambda _: b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
        lambda _: b"[" * 900 + b"]" * 900,
        lambda _: b" " * (MOST_BYTES + 1),
        lambda _: b"[" + b"[]," * MOST_PARTS + b"[]]",
        lambda _: b'{"contents":[],"rows":7}',
    ],
)
def test_whatever_else_a_file_holds_is_one_sentence(
    bundles: Mapping[str, bytes], change: Callable[[bytes], bytes]
) -> None:
    with pytest.raises(ProofFault) as fault:
        check(change(bundles["running"]))
    assert 0 < len(str(fault.value)) < 300


def test_the_file_that_was_written_is_recognised_and_no_other(
    bundles: Mapping[str, bytes],
) -> None:
    assert check(bundles["published"], report=b"# My own words\n").report
    with pytest.raises(ProofFault, match="the file is not what was written"):
        check(bundles["published"], report=b"# My own words")
    with pytest.raises(ProofFault, match="no receipt"):
        check(bundles["rejected"], report=b"# My own words\n")


def test_of_an_order_its_json_is_what_was_written(bundles: Mapping[str, bytes]) -> None:
    document = json.loads(bundles["ordered"])
    order = document["contents"][document["summary"]["versions"][1]["content"]]
    assert check(bundles["ordered"], report=canonical(order)).report


def test_contents_stand_under_the_digests_of_their_bytes(bundles: Mapping[str, bytes]) -> None:
    contents: dict[str, Any] = json.loads(bundles["ordered"])["contents"]
    assert len(contents) == 2
    assert all(sha256(canonical(content)) == name for name, content in contents.items())


def test_rows_cut_off_at_the_end_prove_no_more_than_an_earlier_moment(
    bundles: Mapping[str, bytes], tampered: Callable[..., bytes]
) -> None:
    def cut(document: dict[str, Any]) -> None:
        del document["rows"][-1:]
        document["summary"] |= {"state": "ordered", "outcome": None}

    assert check(tampered(bundles["ordered"], cut)).operation.closed is None


def test_a_ledger_from_before_some_fields_were_recorded_still_holds(
    bundles: Mapping[str, bytes], tampered: Callable[..., bytes]
) -> None:
    def age(document: dict[str, Any]) -> None:
        for row in document["rows"]:
            for later in ("amount", "countersigner_role", "quorum", "roles"):
                row["data"].pop(later, None)
            if row["type"] == "ProposalOpened":
                del row["data"]["title"]
            for later in ("tiers", "has_team"):
                row["data"].get("policy", {}).pop(later, None)

    assert check(tampered(bundles["published"], age)).operation.receipt


def test_what_people_did_is_said_to_be_signed(bundles: Mapping[str, bytes], key: ProofKey) -> None:
    proof = check(bundles["ordered"], keys=[key.public])
    assert proof.signed
    assert any(
        "signed each act of a person when it was recorded" in line for line in findings(proof)
    )


def stripped(document: dict[str, Any], place: int) -> None:
    """Take the signature from the act at this place, of those that have one."""
    acts = [row for row in document["rows"] if "signature" in row["data"]]
    del acts[place]["data"]["signature"]


@pytest.mark.parametrize("place", [1, 2, -1])
def test_one_act_without_its_signature_is_found(
    bundles: Mapping[str, bytes], tampered: Callable[..., bytes], place: int
) -> None:
    changed = tampered(bundles["ordered"], lambda document: stripped(document, place))
    with pytest.raises(ProofFault, match="has no signature"):
        check(changed)


def test_after_a_rotation_both_keys_are_needed(bundles: Mapping[str, bytes], key: ProofKey) -> None:
    new = ProofKey(seed=bytes([9] * 32))
    document = json.loads(bundles["ordered"])
    del document["signature"]
    rotated = signed(document, new)
    assert check(rotated, keys=[new.public, key.public]).signed
    with pytest.raises(ProofFault, match=key.public.thumbprint):
        check(rotated, keys=[new.public])
    assert not check(rotated).pinned


def test_names_and_titles_cant_steer_a_terminal(
    bundles: Mapping[str, bytes], tampered: Callable[..., bytes]
) -> None:
    def name(document: dict[str, Any]) -> None:
        document["rows"][0]["data"]["title"] = "a\x1b[2J\nb\u202ec"
        document["summary"]["title"] = "a\x1b[2J\nb\u202ec"

    told = findings(check(tampered(bundles["running"], name)))
    assert told[0].endswith(r": a\u001b[2J\u000ab\u202ec")
