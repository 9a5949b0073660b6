"""An attestation is a DSSE envelope with an in-toto statement: others verify it as such."""

from __future__ import annotations

import asyncio
import base64
import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from securesystemslib.dsse import Envelope as OtherEnvelope
from securesystemslib.exceptions import VerificationError
from securesystemslib.signer import SSlibKey  # pyright: ignore[reportPrivateImportUsage]

from countersign.approvals.digest import sha256
from countersign.proof.attestation import Envelope, attest
from countersign.proof.keys import ProofKey
from countersign.proof.verify import main


@pytest.fixture
def attestation(tmp_path: Path, cast: Any, key: ProofKey) -> dict[str, Any]:
    """Of the report that a story of many turns published."""

    async def story() -> bytes:
        case = await cast.stories["published"](partial(cast.begin, tmp_path))
        operation = await case.operation()
        rows = await case.operations.ledger.read(operation.tenant, operation.id)
        return attest(operation, rows, key)

    return json.loads(asyncio.run(story()))


def other_key(key: ProofKey) -> SSlibKey:
    raw = Ed25519PublicKey.from_public_bytes(base64.b64decode(key.public.text))
    return SSlibKey.from_crypto(raw, keyid=key.public.thumbprint)


def test_another_implementation_verifies_it(attestation: dict[str, Any], key: ProofKey) -> None:
    envelope = OtherEnvelope.from_dict(attestation)
    assert list(envelope.verify([other_key(key)], 1)) == [key.public.thumbprint]
    with pytest.raises(VerificationError):
        envelope.verify([other_key(ProofKey(seed=bytes(32)))], 1)


def test_another_implementation_refuses_another_payload(
    attestation: dict[str, Any], key: ProofKey
) -> None:
    payload = base64.b64decode(attestation["payload"]).replace(b"Ann", b"Eve")
    changed = {**attestation, "payload": base64.b64encode(payload).decode()}
    with pytest.raises(VerificationError):
        OtherEnvelope.from_dict(changed).verify([other_key(key)], 1)


def test_it_is_about_the_bytes_that_were_written(attestation: dict[str, Any]) -> None:
    assert Envelope.model_validate(attestation)
    statement = json.loads(base64.b64decode(attestation["payload"]))
    assert statement["_type"] == "https://in-toto.io/Statement/v1"
    [subject] = statement["subject"]
    assert subject["digest"] == {"sha256": sha256(b"# My own words\n")}
    decisions = statement["predicate"]["summary"]["versions"][1]["decisions"]
    assert [each["by"]["name"] for each in decisions] == ["Ann", "Bob"]


def test_its_signature_is_none_of_a_proof_or_an_act(
    attestation: dict[str, Any], key: ProofKey
) -> None:
    [signature] = attestation["signatures"]
    payload = base64.b64decode(attestation["payload"])
    assert not key.public.has_signed(signature["sig"], payload)


@pytest.fixture
def verify(tmp_path: Path, attestation: dict[str, Any]) -> Any:
    """Runs the command on the attestation, changed as is said, with these options."""

    def run(*options: str, **changed: Any) -> int:
        file, report = tmp_path / "attestation.json", tmp_path / "report.md"
        file.write_text(json.dumps({**attestation, **changed}))
        report.write_bytes(b"# My own words\n")
        return main([str(file), *options])

    return run


def test_verify_checks_its_signature_and_the_file(
    verify: Any, key: ProofKey, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    known = ("--key", key.public.text)
    assert verify(*known, "--report", str(tmp_path / "report.md")) == 0
    assert "The given file is what was written." in capsys.readouterr().out
    assert verify() == 3
    assert verify("--key", ProofKey(seed=bytes(32)).public.text) == 1
    (tmp_path / "other.md").write_bytes(b"# Other words\n")
    assert verify(*known, "--report", str(tmp_path / "other.md")) == 1
    assert verify(*known, "--anchors", str(tmp_path / "report.md")) == 2


@pytest.mark.parametrize(
    "changed",
    [
        {"payload": "e30="},
        {"payload": base64.b64encode(b"[" * 100_000).decode()},
        {"payload": "A"},
        {"signatures": []},
        {"more": 1},
    ],
    ids=["empty", "deep", "no Base64", "unsigned", "more"],
)
def test_verify_names_what_is_no_attestation(
    verify: Any, changed: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    assert verify(**changed) == 1
    assert "it is no attestation of this app's" in capsys.readouterr().err


def test_verify_refuses_a_payload_that_was_changed(
    verify: Any, attestation: dict[str, Any], key: ProofKey
) -> None:
    payload = base64.b64decode(attestation["payload"]).replace(b"Ann", b"Eve")
    changed = base64.b64encode(payload).decode()
    assert verify("--key", key.public.text, payload=changed) == 1
