"""A proof shows which approvals were signed with a passkey, and none with a wrong signature."""

from __future__ import annotations

import asyncio
import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from fido2 import cbor
from fido2.cose import ES256
from fido2.webauthn import AuthenticatorData, CollectedClientData

from countersign.approvals import rules
from countersign.approvals.erased import commitments_of
from countersign.approvals.erasing import erase_person
from countersign.approvals.passkey import PasskeySignature
from countersign.approvals.person import OPERATOR, Person
from countersign.passkeys.challenge import Approval, approval_challenge
from countersign.passkeys.signature import SignedApproval, fingerprint
from countersign.platform.base64url import to_base64url
from countersign.proof.check import check
from countersign.proof.errors import ProofFault
from countersign.proof.examine import examine
from countersign.proof.findings import findings
from countersign.proof.keys import ProofKey
from testbed.authenticator import Authenticator

ROOT = Path(__file__).parents[3]
OLGA = Person(id="id-Olga", name="Olga", tenant="contoso", roles=frozenset({OPERATOR}))
TENANT, DOMAIN, ORIGIN = "contoso", "sign.example.org", "https://sign.example.org"


async def approval_of(case: Any, comment: str = "") -> Approval:
    """Ann's approval of the newest version, after all that there is."""
    proposal = await case.current()
    rows = await case.operations.ledger.read(TENANT, case.id)
    return Approval(
        tenant=TENANT,
        operation=case.id,
        version=proposal.version,
        digest=proposal.digest,
        person="id-Ann",
        comment=comment,
        after=len(rows),
        previous=rows[-1].hash,
    )


async def signed_by(
    case: Any, device: Authenticator, *, comment: str = "", forged: dict[str, Any] | None = None
) -> SignedApproval:
    """What Ann's device signs for the newest version, after all that there is."""
    approval = await approval_of(case, comment)
    wanted = {
        "challenge": to_base64url(approval_challenge(replace(approval, **(forged or {})))),
        "after": approval.after,
        "domain": DOMAIN,
        "origin": ORIGIN,
    }
    body = device.sign(wanted)
    parts = {key: body[key] for key in body.keys() - {"after"}}
    return SignedApproval(public_key=to_base64url(device.public_key), rp=DOMAIN, **parts)


async def approved(case: Any, ann: Any, signed: str) -> Any:
    """Ann approves, and the app records this text as her signature."""
    proposal = await case.current()
    after = len(await case.operations.ledger.read(TENANT, case.id))
    command = rules.Decide(
        reviewer=ann,
        version=proposal.version,
        digest=proposal.digest,
        decision="approve",
        passkey=PasskeySignature(after=after, text=signed),
    )
    return await case.happen(lambda state, now: rules.decide(state, command, now))


async def erase_ann(case: Any) -> None:
    """Erase Ann, as an operator has it done."""
    gone = commitments_of(await case.operations.ledger.read(TENANT, case.id), "id-Ann")
    await case.happen(lambda state, now: erase_person(state, OLGA, gone, "she asked", now))
    await case.operations.ledger.erase(TENANT, case.id, gone)


@pytest.fixture
def offered(tmp_path: Path, cast: Any) -> Callable[..., Any]:
    """An operation of which a version waits for Ann's approval."""

    async def begun(*, erasable: bool = True) -> Any:
        case = await cast.begin(tmp_path, "research", erasable=erasable)
        return await case.open(cast.report())

    return lambda **how: asyncio.run(begun(**how))


@pytest.mark.parametrize("erasable", [True, False])
def test_it_names_the_passkey_and_the_page(
    offered: Callable[..., Any], cast: Any, key: ProofKey, erasable: bool
) -> None:
    case, device = offered(erasable=erasable), Authenticator()
    signed = asyncio.run(signed_by(case, device))
    asyncio.run(approved(case, cast.ann, signed.to_text()))
    bundle = asyncio.run(case.bundle())
    proof = check(bundle, keys=[key.public])
    [line] = [line for line in findings(proof) if "proved: signed with" in line]
    assert fingerprint(signed.public_key) in line
    assert ORIGIN in line
    assert json.loads(bundle)["format"]["version"] == 5


@pytest.mark.parametrize(
    "forged",
    [{"version": 2}, {"digest": "0" * 64}, {"person": "id-Bob"}, {"previous": "0" * 64}],
)
def test_even_the_holder_of_the_key_can_not_pass_a_signature_off_as_another(
    offered: Callable[..., Any], cast: Any, key: ProofKey, forged: dict[str, Any]
) -> None:
    case = offered()
    signed = asyncio.run(signed_by(case, Authenticator(), forged=forged))
    asyncio.run(approved(case, cast.ann, signed.to_text()))
    with pytest.raises(ProofFault, match=r"row 3 \(DecisionRecorded\): .* wrong challenge"):
        check(asyncio.run(case.bundle()), keys=[key.public])


@pytest.mark.parametrize("text", ["", "{}", "[erased]", "signed"])
def test_what_is_no_signature_is_none_also_before_anything_is_written(
    offered: Callable[..., Any], cast: Any, key: ProofKey, text: str
) -> None:
    case = offered()
    asyncio.run(approved(case, cast.ann, text))
    with pytest.raises(ProofFault, match=r"row 3 \(DecisionRecorded\)"):
        check(asyncio.run(case.bundle()), keys=[key.public])
    rows = asyncio.run(case.operations.ledger.read(TENANT, case.id))
    doubt = asyncio.run(examine(case.artifacts, TENANT, case.id, rows))
    assert doubt
    assert "Row 3" in doubt.reason


def test_a_row_that_is_not_there_yet_is_none_to_sign_after(
    offered: Callable[..., Any], cast: Any, key: ProofKey
) -> None:
    case = offered()
    signed = asyncio.run(signed_by(case, Authenticator()))

    async def approve_after(after: int) -> None:
        proposal = await case.current()
        command = rules.Decide(
            reviewer=cast.ann,
            version=1,
            digest=proposal.digest,
            decision="approve",
            passkey=PasskeySignature(after=after, text=signed.to_text()),
        )
        await case.happen(lambda state, now: rules.decide(state, command, now))

    asyncio.run(approve_after(99))
    with pytest.raises(ProofFault, match="after which it was signed"):
        check(asyncio.run(case.bundle()), keys=[key.public])


def signed_by_fido2(approval: Approval) -> SignedApproval:
    """What an authenticator and a browser make of it, with the objects of the library `fido2`."""
    key = ec.generate_private_key(ec.SECP256R1())
    client = CollectedClientData.create(
        type=CollectedClientData.TYPE.GET, origin=ORIGIN, challenge=approval_challenge(approval)
    )
    flags = AuthenticatorData.FLAG.UP | AuthenticatorData.FLAG.UV
    data = AuthenticatorData.create(sha256(DOMAIN.encode()).digest(), flags, 7)
    return SignedApproval(
        id=to_base64url(b"made by fido2"),
        public_key=to_base64url(cbor.encode(dict(ES256.from_cryptography_key(key.public_key())))),
        rp=DOMAIN,
        client_data=to_base64url(client),
        authenticator_data=to_base64url(data),
        signature=to_base64url(key.sign(bytes(data) + client.hash, ec.ECDSA(hashes.SHA256()))),
    )


# The second way has no network at all.
@pytest.mark.parametrize("way", [(), ("unshare", "--map-root-user", "--net")], ids=["", "offline"])
@pytest.mark.parametrize("forged", [{}, {"comment": "Not this."}, {"digest": "0" * 64}])
def test_the_command_verifies_what_another_implementation_signed(
    offered: Callable[..., Any],
    cast: Any,
    key: ProofKey,
    tmp_path: Path,
    way: tuple[str, ...],
    forged: dict[str, str],
) -> None:
    if way and (not shutil.which(way[0]) or subprocess.run([*way, "true"]).returncode):
        pytest.skip("this machine lets no program leave the network")
    case = offered()
    signed = signed_by_fido2(replace(asyncio.run(approval_of(case)), **forged))
    asyncio.run(approved(case, cast.ann, signed.to_text()))
    file = tmp_path / "a.proof.json"
    file.write_bytes(asyncio.run(case.bundle()))
    code = "import sys; from local.commands import verify; sys.exit(verify(*sys.argv[1:]))"
    done = subprocess.run(
        [*way, sys.executable, "-c", code, str(file), "--key", key.public.text],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    if forged:
        assert done.returncode == 1
        assert "row 3 (DecisionRecorded)" in done.stderr
        return
    assert done.returncode == 0, done.stderr
    name = fingerprint(signed.public_key)
    assert f"proved: signed with the passkey {name} on {ORIGIN}, by a verified user" in done.stdout


def test_who_is_erased_has_no_passkey_in_it_and_the_rest_verifies(
    offered: Callable[..., Any], cast: Any, key: ProofKey
) -> None:
    case = offered()
    signed = asyncio.run(signed_by(case, Authenticator()))
    asyncio.run(approved(case, cast.ann, signed.to_text()))
    asyncio.run(case.write(cast.report()))
    asyncio.run(case.close())
    asyncio.run(erase_ann(case))
    bundle = asyncio.run(case.bundle())
    proof = check(bundle, keys=[key.public])
    assert signed.public_key not in bundle.decode()
    assert list(proof.passkeys.values()) == [None]
    assert any("signature was erased" in line for line in findings(proof))
