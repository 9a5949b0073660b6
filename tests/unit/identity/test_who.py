"""Who a good token proves: one person, in one tenant, with roles, or a program."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from countersign.approvals.digest import canonical
from countersign.identity.errors import ScopeMissing, Unauthenticated
from countersign.identity.keys import KeySet
from countersign.identity.terms import TokenTerms
from countersign.identity.tokens import TokenVerifier

Claims = Callable[..., dict[str, Any]]


async def test_every_tenant_of_the_issuer_is_served_if_none_is_named(
    terms: TokenTerms, keys: KeySet, rsa_issuer: Any, claims: Claims, clock: Any
) -> None:
    everybody = replace(terms, tenants=None)
    verifier = TokenVerifier(everybody, keys, platform=False, clock=clock)
    token = rsa_issuer.sign(claims(tid="Other.tenant_7"))
    assert (await verifier.verify({"Authorization": f"Bearer {token}"})).tenant == "Other.tenant_7"


@pytest.mark.parametrize(
    ("changes", "name"),
    [
        ({"name": ..., "preferred_username": "ada@home.example"}, "ada@home.example"),
        ({"name": ...}, "ada-id"),
        ({"name": 7}, "ada-id"),
        ({"name": "\n\t \x00"}, "ada-id"),
        ({"name": "Ada\nApproved by: Bob\x1b[2J"}, "AdaApproved by: Bob[2J"),
        ({"name": "Ada\u202etxet\u2066\u2028\ud800"}, "Adatxet"),
        ({"name": "Zoë 🦦 \u0645\u06cc\u200c\u062e"}, "Zoë 🦦 \u0645\u06cc\u200c\u062e"),
        ({"name": "x" * 900}, "x" * 200),
    ],
)
async def test_a_name_is_safe_to_show_and_never_empty(
    verifier: TokenVerifier, rsa_issuer: Any, claims: Claims, changes: Any, name: str
) -> None:
    person = await verifier.verify(
        {"Authorization": f"Bearer {rsa_issuer.sign(claims(**changes))}"}
    )
    assert person.name == name
    assert canonical(person.name)


@pytest.mark.parametrize(
    "roles", [..., None, "Report.Reviewer", {"Report.Reviewer": True}, ["Report.Reviewer", 7], 7]
)
async def test_anything_but_a_list_of_texts_gives_no_roles(
    verifier: TokenVerifier, rsa_issuer: Any, claims: Claims, roles: Any
) -> None:
    person = await verifier.verify(
        {"Authorization": f"Bearer {rsa_issuer.sign(claims(roles=roles))}"}
    )
    assert person.roles == frozenset()


async def test_one_claim_alone_tells_people_apart(
    terms: TokenTerms, keys: KeySet, rsa_issuer: Any, claims: Claims, clock: Any
) -> None:
    by_subject = TokenVerifier(replace(terms, subject="sub"), keys, platform=False, clock=clock)
    for changes in ({}, {"oid": ...}, {"oid": "somebody else"}):
        token = rsa_issuer.sign(claims(**changes))
        assert (await by_subject.verify({"Authorization": f"Bearer {token}"})).id == "ada-sub"
    token = rsa_issuer.sign(claims(sub=...))
    with pytest.raises(Unauthenticated, match="`sub`"):
        await by_subject.verify({"Authorization": f"Bearer {token}"})


@pytest.mark.parametrize(("claim", "kept"), [("oid", "id"), ("tid", "tenant")])
async def test_a_guid_is_the_same_in_any_case_and_other_ids_are_not(
    terms: TokenTerms,
    keys: KeySet,
    rsa_issuer: Any,
    claims: Claims,
    clock: Any,
    claim: str,
    kept: str,
) -> None:
    verifier = TokenVerifier(replace(terms, tenants=None), keys, platform=False, clock=clock)
    guid = "3F2504E0-4f89-41D3-9A0C-0305E82C3301"
    for told, known in ((guid, guid.lower()), ("Ada-7", "Ada-7"), (f"{guid}A", f"{guid}A")):
        token = rsa_issuer.sign(claims(**{claim: told}))
        person = await verifier.verify({"Authorization": f"Bearer {token}"})
        assert getattr(person, kept) == known


@pytest.mark.parametrize(
    ("changes", "may"),
    [
        ({"azp": "page"}, True),
        ({"appid": "page"}, True),
        ({"client_id": "page"}, True),
        ({"azp": "page", "appid": "page"}, True),
        ({"azp": "agent"}, False),
        ({"azp": "PAGE"}, False),
        ({"azp": "page", "appid": "agent"}, False),
        ({"azp": ["page"]}, False),
        ({}, False),
    ],
)
async def test_people_decide_with_the_applications_that_are_named_for_it(
    terms: TokenTerms,
    keys: KeySet,
    rsa_issuer: Any,
    claims: Claims,
    clock: Any,
    changes: dict[str, Any],
    may: bool,
) -> None:
    named = replace(terms, clients=frozenset({"page", "terminal"}))
    verifier = TokenVerifier(named, keys, platform=False, clock=clock)
    token = rsa_issuer.sign(claims(**changes))
    person = await verifier.verify({"Authorization": f"Bearer {token}"})
    assert (person.id, person.program) == ("ada-id", not may)


async def test_a_person_s_token_says_what_its_bearer_may_do_for_them(
    verifier: TokenVerifier, rsa_issuer: Any, claims: Claims
) -> None:
    token = rsa_issuer.sign(claims(idtyp="user", scp="read user_impersonation"))
    assert not (await verifier.verify({"Authorization": f"Bearer {token}"})).program


@pytest.mark.parametrize(
    "changes",
    [
        {"scp": ...},
        {"scp": ""},
        {"scp": "  "},
        {"scp": None},
        {"scp": ["user_impersonation"]},
        {"scp": ..., "idtyp": "app"},
        {"idtyp": "app"},
        {"idtyp": "App"},
        {"idtyp": "device"},
        {"idtyp": None},
        {"idtyp": ["user"]},
    ],
)
async def test_a_token_that_nobody_got_for_themselves_is_a_program_s(
    verifier: TokenVerifier, rsa_issuer: Any, claims: Claims, changes: dict[str, Any]
) -> None:
    token = rsa_issuer.sign(claims(**changes))
    assert (await verifier.verify({"Authorization": f"Bearer {token}"})).program


@pytest.mark.parametrize("scope", ["read", "user_impersonation.read", "User_Impersonation", "a b"])
async def test_a_person_s_token_for_another_scope_is_refused_as_that(
    verifier: TokenVerifier, rsa_issuer: Any, claims: Claims, scope: str
) -> None:
    for more in ({}, {"nonce": "of a sign-in"}, {"idtyp": "user"}):
        token = rsa_issuer.sign(claims(scp=scope, **more))
        with pytest.raises(ScopeMissing, match="its scopes lack 'user_impersonation'"):
            await verifier.verify({"Authorization": f"Bearer {token}"})
