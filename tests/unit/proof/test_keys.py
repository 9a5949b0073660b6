"""The key of proofs is read in the forms that a vault can hold, and appears nowhere."""

from __future__ import annotations

import base64
import os
import traceback
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519

from countersign.platform.environment import SettingsError
from countersign.proof.keys import SETTING, ProofKey, read_proof_key
from countersign.proof.public_key import public_key
from countersign.settings import read_settings
from local.proof_key import NAME, development_key
from local.settings import complete

SEED = bytes(range(32))
TEXT = base64.b64encode(SEED).decode()
ENOUGH = {
    "COUNTERSIGN_DATA": "data",
    "COUNTERSIGN_TOKEN_ISSUER": "https://issuer.example",
    "COUNTERSIGN_TOKEN_CLIENTS": "any",
    "COUNTERSIGN_TOKEN_AUDIENCE": "api://countersign",
    "COUNTERSIGN_TOKEN_JWKS": "https://issuer.example/keys",
}


def pem(key: ed25519.Ed25519PrivateKey | ec.EllipticCurvePrivateKey, password: str = "") -> str:
    form = serialization.PrivateFormat.PKCS8
    lock = (
        serialization.BestAvailableEncryption(password.encode())
        if password
        else serialization.NoEncryption()
    )
    return key.private_bytes(serialization.Encoding.PEM, form, lock).decode()


OURS = pem(ed25519.Ed25519PrivateKey.from_private_bytes(SEED))


@pytest.mark.parametrize(
    "text",
    [
        TEXT,
        f" {TEXT}\n",
        OURS,
        OURS.strip(),
        OURS.replace("\n", " "),  # as a portal makes one line of it
        OURS.replace("\n", "\\n"),  # as JSON does
        OURS.replace("\n", "\r\n"),
    ],
)
def test_the_same_key_is_read_from_each_form(text: str) -> None:
    key = read_proof_key({SETTING: text})
    assert key == ProofKey(seed=SEED)
    assert key == read_settings({**ENOUGH, SETTING: text}).proof_key


@pytest.mark.parametrize("text", ["", " ", "\n"])
def test_no_key_is_no_fault(text: str) -> None:
    assert read_proof_key({SETTING: text}) is None
    assert read_settings(ENOUGH).proof_key is None


@pytest.mark.parametrize("text", [TEXT, OURS])
def test_a_development_key_says_that_it_is_one(text: str) -> None:
    key = read_proof_key({SETTING: f"development:{text}"})
    assert key == ProofKey(seed=SEED, development=True)
    assert key
    assert key.described()["development"] is True


UNFIT = "c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0LXNlY3JldA"


@pytest.mark.parametrize(
    "text",
    [
        UNFIT,
        f"{UNFIT}==",
        f"{TEXT}{UNFIT}",
        f"{TEXT[:-2]}9=",  # bits that no byte has
        f"production:{TEXT}",
        f"-----BEGIN PRIVATE KEY-----\n{UNFIT}\n-----END PRIVATE KEY-----",
        f"-----BEGIN PRIVATE KEY-----\n{UNFIT}",
        f"-----BEGIN PRIVATE KEY-----\n{UNFIT}!\n-----END PRIVATE KEY-----",
        pem(ec.generate_private_key(ec.SECP256R1())),
        pem(ed25519.Ed25519PrivateKey.from_private_bytes(SEED), "password"),
        "@Microsoft.KeyVault(SecretUri=https://vault.example/secrets/proof)",
    ],
)
def test_anything_else_is_one_sentence_without_it(text: str) -> None:
    with pytest.raises(SettingsError, match=f"{SETTING} must be an Ed25519 private key") as fault:
        read_settings({**ENOUGH, SETTING: text})
    told = "".join(traceback.format_exception(fault.value))
    assert not any(line in told for line in text.split() if len(line) > 20)


def test_the_key_is_in_no_representation() -> None:
    settings = read_settings({**ENOUGH, SETTING: TEXT})
    key = settings.proof_key
    assert key
    for shown in (repr(settings), repr(key), str(key), str(key.described())):
        assert TEXT not in shown
        assert repr(SEED)[2:-1] not in shown
        assert SEED.hex() not in shown


def test_what_one_key_signs_no_other_has_signed() -> None:
    key, other = ProofKey(seed=SEED), ProofKey(seed=bytes(32))
    signature = key.sign(b"data")
    assert key.public.has_signed(signature, b"data")
    assert not key.public.has_signed(signature, b"date")
    assert not other.public.has_signed(signature, b"data")
    assert key.public.id != other.public.id


def test_a_signature_can_be_written_in_one_way_only() -> None:
    key = ProofKey(seed=SEED)
    signature = key.sign(b"data")
    # The last digit before the padding has four bits that no byte has.
    digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    twin = signature[:-3] + digits[digits.index(signature[-3]) ^ 1] + "=="
    assert base64.b64decode(twin) == base64.b64decode(signature)
    assert not key.public.has_signed(twin, b"data")


def test_the_example_of_the_standard_is_signed_as_there() -> None:
    """RFC 8032, section 7.1, test 2."""
    seed = "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb"
    key = ProofKey(seed=bytes.fromhex(seed))
    assert base64.b64decode(key.public.text).hex() == (
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c"
    )
    assert base64.b64decode(key.sign(b"\x72")).hex() == (
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
        "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
    )


@pytest.mark.parametrize("text", ["", "x", f"{TEXT}=", TEXT[:-4], "ä" * 44])
def test_what_is_no_public_key_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"not (32|91) bytes in Base64"):
        public_key(text)


def test_the_development_key_is_made_once_and_for_its_owner_alone(tmp_path: Path) -> None:
    data = tmp_path / "data"
    first = development_key(data)
    assert development_key(data) == first
    key = read_proof_key({SETTING: first})
    assert key
    assert key.development
    assert development_key(tmp_path / "other") != first
    assert [file.name for file in data.iterdir()] == [NAME]
    if os.name != "nt":
        assert (data / NAME).stat().st_mode & 0o777 == 0o600


def test_a_key_of_ones_own_is_left_alone(tmp_path: Path) -> None:
    assert complete({SETTING: TEXT}, port=1, data=tmp_path)[SETTING] == TEXT
    assert complete({SETTING: ""}, port=1, data=tmp_path)[SETTING] == ""
    assert list(tmp_path.iterdir()) == []
    assert complete({}, port=1, data=tmp_path)[SETTING].startswith("development:")
