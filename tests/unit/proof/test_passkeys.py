"""A proof shows which approvals were signed with a passkey, and none with a wrong signature."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

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

OLGA = Person(id="id-Olga", name="Olga", tenant="contoso", roles=frozenset({OPERATOR}))
TENANT, DOMAIN, ORIGIN = "contoso", "sign.example.org", "https://sign.example.org"


async def signed_by(
    case: Any, device: Authenticator, *, comment: str = "", forged: dict[str, Any] | None = None
) -> SignedApproval:
    """What Ann's device signs for the newest version, after all that there is."""
    proposal = await case.current()
    rows = await case.operations.ledger.read(TENANT, case.id)
    approval = Approval(
        tenant=TENANT,
        operation=case.id,
        version=proposal.version,
        digest=proposal.digest,
        person="id-Ann",
        comment=comment,
        after=len(rows),
        previous=rows[-1].hash,
    )
    wanted = {
        "challenge": to_base64url(approval_challenge(replace(approval, **(forged or {})))),
        "after": len(rows),
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
