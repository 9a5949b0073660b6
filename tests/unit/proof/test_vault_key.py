"""A key in a vault signs acts, proofs and attestations, and what it signed is verified without it.

No emulator of the vault comes from a registry that is used here: the genuine client asks a stand-in
over TLS, which answers in the service's shapes and signs with a real key.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import jwt
import pytest
from azure.core.pipeline.transport import RequestsTransport
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from securesystemslib.dsse import Envelope as OtherEnvelope
from securesystemslib.signer._key import SSlibKey

from countersign.approvals.acts import act_data
from countersign.approvals.ledger import GENESIS
from countersign.platform.base64url import to_base64url
from countersign.proof import p256
from countersign.proof.attestation import attest
from countersign.proof.attested import attested
from countersign.proof.errors import ProofFault
from countersign.proof.keys import SETTING, NoKey, ProofKey
from countersign.proof.public_key import OTHERS, PublicKey
from countersign.proof.seal import KeySeal, is_valid, signature_over
from countersign.proof.verify import PROVEN, WRONG, main
from countersign.signing.vault_key import ADDRESS, PUBLIC, VaultKey, read_signing_key
from countersign.stores.errors import StoreUnavailable
from testbed.key_vault import VERSION, Vault, key_vault
from testbed.managed_identity import managed_identity


@pytest.fixture
def vault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Vault]:
    # The SDK's own pauses are not what is tested.
    monkeypatch.setattr(RequestsTransport, "sleep", lambda *_: None)
    with managed_identity(monkeypatch), key_vault(tmp_path) as vault:
        monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(vault.file))
        yield vault


@pytest.fixture
def signing(vault: Vault) -> VaultKey:
    key = read_signing_key({ADDRESS: vault.address, PUBLIC: vault.public})
    assert isinstance(key, VaultKey)
    return key


async def published(folder: Path, cast: Any, seal: KeySeal) -> Any:
    """A report that was requested, approved and published."""
    case = await cast.case(folder, "research", seal=seal).start()
    text = cast.report()
    await case.open(text)
    await case.decide(cast.ann)
    await case.write(text)
    return await case.close()


async def test_what_people_do_is_signed_in_the_vault_and_other_libraries_verify_it(
    tmp_path: Path, cast: Any, vault: Vault, signing: VaultKey
) -> None:
    case = await published(tmp_path, cast, KeySeal(signing))
    operation = await case.operation()
    tenant, previous, acts = operation.tenant, GENESIS, 0
    rows = await case.operations.ledger.read(tenant, case.id)
    for row in rows:
        if "signature" in row.data:
            acts += 1
            header, _, value = row.data["signature"].partition("..")
            content = act_data(tenant, case.id, row.sequence, row.type, row.data, previous)
            whole = f"{header}.{to_base64url(content)}.{value}"
            read = jwt.PyJWS().decode_complete(whole, vault.key.public_key(), ["ES256"])
            assert read["header"]["kid"] == signing.public.thumbprint
        previous = row.hash
    assert acts == vault.signed > 1
    assert operation.closed


async def test_a_proof_and_an_attestation_by_the_vault_are_verified_without_it(
    tmp_path: Path, cast: Any, vault: Vault, signing: VaultKey, capsys: pytest.CaptureFixture[str]
) -> None:
    case = await published(tmp_path, cast, KeySeal(signing))
    file, key = tmp_path / "proof.json", signing.public
    file.write_bytes(await case.bundle(signing))
    operation = await case.operation()
    rows = await case.operations.ledger.read(operation.tenant, case.id)
    envelope = attest(operation, rows, signing)
    asked = vault.signed
    assert main([str(file), "--key", key.text]) == PROVEN
    assert main([str(file), "--key", ProofKey(seed=bytes(32)).public.text]) == WRONG
    assert attested(envelope, keys=[key], report=None).pinned
    other = SSlibKey.from_crypto(vault.key.public_key(), keyid=key.thumbprint)
    assert OtherEnvelope.from_dict(json.loads(envelope)).verify([other], 1)
    assert vault.signed == asked
    assert "approved by Ann" in capsys.readouterr().out


async def test_what_was_signed_with_the_key_before_still_counts(
    tmp_path: Path, cast: Any, signing: VaultKey
) -> None:
    before = ProofKey(seed=bytes(32))
    case = await cast.case(tmp_path, "research", seal=KeySeal(before)).start()
    await case.open(cast.report())
    after = cast.case(tmp_path, "research", seal=KeySeal(signing, [before.public]))
    after.now = case.now
    await after.decide(cast.ann)
    file = tmp_path / "proof.json"
    file.write_bytes(await after.bundle(signing))
    assert main([str(file), "--key", signing.public.text]) == WRONG
    keys = ["--key", signing.public.text, "--key", before.public.text]
    assert main([str(file), *keys]) == PROVEN


def test_a_vault_that_lets_nobody_read_its_key_signs(vault: Vault, signing: VaultKey) -> None:
    vault.may_read = False
    assert signing.public.has_signed(signing.sign(b"data"), b"data")


def test_nobody_else_is_sent_the_token(vault: Vault, signing: VaultKey) -> None:
    vault.resource = "https://vault.example"
    with pytest.raises(NoKey, match=ADDRESS):
        signing.sign(b"data")


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (0, StoreUnavailable),  # the connection ends without an answer
        (429, StoreUnavailable),
        (500, StoreUnavailable),
        (503, StoreUnavailable),
        (400, NoKey),  # the key is disabled
        (403, NoKey),  # the identity has no role
        (404, NoKey),  # there is no such version
    ],
)
async def test_nothing_is_recorded_that_the_vault_did_not_sign(
    tmp_path: Path,
    cast: Any,
    vault: Vault,
    signing: VaultKey,
    status: int,
    error: type[Exception],
) -> None:
    case = await cast.case(tmp_path, "research", seal=KeySeal(signing)).start()
    await case.open(cast.report())
    before = await case.operation()
    vault.fault = status
    with pytest.raises(error):
        await case.decide(cast.ann)
    assert await case.operation() == before
    vault.fault = None
    await case.decide(cast.ann)


def test_a_signature_by_another_key_than_the_one_that_is_set_is_not_used(
    vault: Vault, tmp_path: Path
) -> None:
    (tmp_path / "other").mkdir()
    with key_vault(tmp_path / "other") as other:
        key = read_signing_key({ADDRESS: vault.address, PUBLIC: other.public})
        assert key is not None
    with pytest.raises(NoKey, match=PUBLIC):
        key.sign(b"data")


def test_a_signature_has_one_form(signing: VaultKey) -> None:
    """Who has (r, s) has (r, n - s) too, and must not change what was signed into it."""
    signature = base64.b64decode(signing.sign(b"data"))
    assert p256.has_signed(base64.b64decode(signing.public.text), signature, b"data")
    r, s = decode_dss_signature(p256.to_der(signature))
    twin = r.to_bytes(32, "big") + (p256._ORDER - s).to_bytes(32, "big")
    assert p256.one_form(twin) == signature
    assert not signing.public.has_signed(base64.b64encode(twin).decode(), b"data")
    assert not signing.public.has_signed(base64.b64encode(bytes(64)).decode(), b"data")


def test_a_signature_by_one_kind_of_key_is_none_by_the_other(signing: VaultKey) -> None:
    ours, theirs = ProofKey(seed=bytes(32)), signing
    signature = signature_over(b"data", theirs)
    assert is_valid(signature, b"data", theirs.public)
    assert not is_valid(signature, b"data", ours.public)
    header = signature_over(b"data", ours).partition("..")[0]
    assert not is_valid(f"{header}..{signature.partition('..')[2]}", b"data", theirs.public)


async def test_a_proof_that_says_another_kind_of_key_is_refused(
    tmp_path: Path, cast: Any, signing: VaultKey
) -> None:
    from countersign.proof.bundle import signed
    from countersign.proof.check import check

    case = await cast.case(tmp_path, "research", seal=KeySeal(signing)).start()
    document = json.loads(await case.bundle(signing))

    class Liar(VaultKey):
        def described(self) -> dict[str, Any]:
            return {**super().described(), "algorithm": "Ed25519"}

    document.pop("signature")
    forged = signed(document, Liar(address=signing.address, public=signing.public))
    with pytest.raises(ProofFault, match="algorithm"):
        check(forged, keys=[signing.public])


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({SETTING: "A" * 43 + "="}, "contradict"),
        ({ADDRESS: "https://vault.example/keys/proof-key"}, "a version of a key"),
        ({ADDRESS: f"http://vault.example/keys/proof-key/{VERSION}"}, "a version of a key"),
        ({ADDRESS: f"https://vault.example/secrets/proof-key/{VERSION}"}, "a version of a key"),
        ({PUBLIC: ""}, PUBLIC),
        ({PUBLIC: ProofKey(seed=bytes(32)).public.text}, PUBLIC),
        # its last byte is another, so that it is no point of the curve
        ({PUBLIC: "off"}, PUBLIC),
    ],
)
def test_settings_that_name_no_key_of_a_vault_are_refused(
    vault: Vault, changes: dict[str, str], told: str
) -> None:
    if changes == {PUBLIC: "off"}:
        whole = base64.b64decode(vault.public)
        off = (base64.b64encode(whole[:-1] + bytes([last])).decode() for last in range(256))
        changes = {PUBLIC: next(text for text in off if not _is_key(text))}
    with pytest.raises(ValueError, match=told):
        read_signing_key({ADDRESS: vault.address, PUBLIC: vault.public, **changes})


def _is_key(text: str) -> bool:
    try:
        p256.loaded(base64.b64decode(text))
    except ValueError:
        return False
    return True


def test_an_app_with_the_public_key_alone_checks_what_the_vault_signed(
    vault: Vault, signing: VaultKey
) -> None:
    from countersign.proof.public_key import read_public_keys

    others: Callable[..., tuple[PublicKey, ...]] = read_public_keys
    seal = KeySeal(None, others({OTHERS: vault.public}))
    signature = signature_over(b"data", signing)
    assert seal.fault(signature, b"data") is None
    assert seal.fault(signature, b"other")
    with pytest.raises(NoKey):
        seal.sign(b"data")
