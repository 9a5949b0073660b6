"""Signatures of acts are JSON Web Signatures: other implementations verify them."""

from __future__ import annotations

import base64
import json
import shutil
import subprocess
from pathlib import Path

import jwt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from countersign.platform.base64url import to_base64url
from countersign.proof.keys import NoKey, ProofKey
from countersign.proof.public_key import PublicKey
from countersign.proof.seal import TYPE, KeySeal, is_valid, key_id_of, signature_over

KEY = ProofKey(seed=bytes(range(32)))
CONTENT = b'{"decision":"approve"}'
SIGNATURE = signature_over(CONTENT, KEY)
SPKI = bytes.fromhex("302a300506032b6570032100")
"""What stands before an Ed25519 key in a SubjectPublicKeyInfo (RFC 8410, section 4)."""


def pem(key: PublicKey) -> str:
    body = base64.b64encode(SPKI + base64.b64decode(key.text)).decode()
    return f"-----BEGIN PUBLIC KEY-----\n{body}\n-----END PUBLIC KEY-----\n"


def test_another_implementation_of_the_standard_verifies_one() -> None:
    header, _, value = SIGNATURE.partition("..")
    whole = f"{header}.{to_base64url(CONTENT)}.{value}"
    read = jwt.PyJWS().decode_complete(whole, pem(KEY.public), algorithms=["EdDSA"])
    assert read["payload"] == CONTENT
    assert read["header"] == {"alg": "EdDSA", "kid": KEY.public.thumbprint, "typ": TYPE}
    other = ProofKey(seed=bytes(32)).public
    with pytest.raises(jwt.InvalidSignatureError):
        jwt.PyJWS().decode_complete(whole, pem(other), algorithms=["EdDSA"])


@pytest.mark.skipif(shutil.which("openssl") is None, reason="there is no openssl")
def test_openssl_verifies_one(tmp_path: Path) -> None:
    header, _, value = SIGNATURE.partition("..")
    (tmp_path / "key.pem").write_text(pem(KEY.public))
    (tmp_path / "signature").write_bytes(base64.urlsafe_b64decode(value + "=="))
    options = ["-verify", "-pubin", "-inkey", "key.pem", "-rawin", "-sigfile", "signature", "-in"]
    for content, right in ((CONTENT, True), (b'{"decision":"reject"}', False)):
        (tmp_path / "signed").write_text(f"{header}.{to_base64url(content)}")
        done = subprocess.run(
            ["openssl", "pkeyutl", *options, "signed"],  # noqa: S607 - the one that there is
            cwd=tmp_path,
            capture_output=True,
            check=False,
        )
        assert (done.returncode == 0) is right, done.stderr


def test_the_id_of_a_key_is_its_thumbprint() -> None:
    """RFC 8037, appendix A.3."""
    raw = base64.urlsafe_b64decode("11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo=")
    key = PublicKey(text=base64.b64encode(raw).decode())
    assert key.thumbprint == "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k"


@settings(max_examples=200)
@given(place=st.integers(0, len(SIGNATURE) - 1), character=st.characters(codec="utf-8"))
def test_any_changed_character_makes_it_invalid(place: int, character: str) -> None:
    changed = SIGNATURE[:place] + character + SIGNATURE[place + 1 :]
    assert is_valid(changed, CONTENT, KEY.public) is (changed == SIGNATURE)


@pytest.mark.parametrize(
    "header",
    [
        {"alg": "none", "kid": KEY.public.thumbprint, "typ": TYPE},
        {"alg": "EdDSA", "kid": KEY.public.thumbprint},
        {"alg": "EdDSA", "kid": KEY.public.thumbprint, "typ": "JWT"},
        {"alg": "EdDSA", "b64": False, "crit": ["b64"], "kid": KEY.public.thumbprint, "typ": TYPE},
        {"alg": "EdDSA", "kid": 7, "typ": TYPE},
        {"alg": "EdDSA", "kid": "\ud800", "typ": TYPE},
        ["kid"],
        "kid",
    ],
)
def test_no_other_header_is_taken(header: object) -> None:
    """Its own key signs it: what counts is what the signature was made for."""
    encoded = to_base64url(json.dumps(header, separators=(",", ":")).encode())
    value = base64.b64decode(KEY.sign(f"{encoded}.{to_base64url(CONTENT)}".encode()))
    signature = f"{encoded}..{to_base64url(value)}"
    assert key_id_of(signature) is None
    assert not is_valid(signature, CONTENT, KEY.public)


def test_a_signature_of_a_proof_is_none_of_an_act() -> None:
    header, _, _ = SIGNATURE.partition("..")
    value = to_base64url(base64.b64decode(KEY.sign(CONTENT)))
    assert not is_valid(f"{header}..{value}", CONTENT, KEY.public)


def test_who_has_only_public_keys_checks_and_signs_nothing() -> None:
    seal = KeySeal(None, [KEY.public])
    assert seal.fault(SIGNATURE, CONTENT) is None
    assert seal.fault(SIGNATURE, b"{}")
    with pytest.raises(NoKey):
        seal.sign(CONTENT)
