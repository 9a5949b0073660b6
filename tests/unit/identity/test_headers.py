import base64
import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import azure.functions as func
import pytest

from countersign.identity.errors import KeysUnavailable, Unauthenticated
from countersign.identity.headers import PLATFORM_TOKEN, signed_in_by_cookie
from countersign.identity.keys import REFRESH_FLOOR, KeySet
from countersign.identity.terms import TokenTerms
from countersign.identity.tokens import TokenVerifier

Claims = Callable[..., dict[str, Any]]


def received(**headers: str) -> Mapping[str, str]:
    """Headers as an endpoint gets them; `_` stands for `-`."""
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    return func.HttpRequest("GET", "http://localhost/", headers=sent, body=b"").headers


async def test_the_id_token_of_a_browser_that_the_platform_signed_in_proves_a_person(
    behind_the_platform: TokenVerifier, rsa_issuer: Any, claims: Claims
) -> None:
    token = rsa_issuer.sign(claims())
    person = await behind_the_platform.verify(received(x_ms_token_aad_id_token=token))
    assert (person.id, person.roles) == ("ada-id", {"Report.Reviewer"})
    assert await behind_the_platform.verify(received(**{PLATFORM_TOKEN: token})) == person


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"aud": "api://other"}, "another audience"),
        ({"iss": "https://elsewhere.example"}, "another issuer"),
        ({"tid": "elsewhere"}, "does not serve"),
        ({"exp": 1}, "expired"),
    ],
)
async def test_an_id_token_is_checked_like_any_other_though_the_platform_passed_it_on(
    behind_the_platform: TokenVerifier,
    rsa_issuer: Any,
    claims: Claims,
    changes: dict[str, Any],
    why: str,
) -> None:
    token = rsa_issuer.sign(claims(**changes))
    with pytest.raises(Unauthenticated, match=why):
        await behind_the_platform.verify({PLATFORM_TOKEN: token})


async def test_an_id_token_of_somebody_else_s_making_proves_nothing(
    behind_the_platform: TokenVerifier, other_rsa_issuer: Any, claims: Claims
) -> None:
    with pytest.raises(Unauthenticated, match="signature"):
        await behind_the_platform.verify({PLATFORM_TOKEN: other_rsa_issuer.sign(claims())})


async def test_the_platform_s_unsigned_word_is_never_believed(
    behind_the_platform: TokenVerifier,
) -> None:
    principal = {"auth_typ": "aad", "claims": [{"typ": "roles", "val": "Report.Reviewer"}]}
    told = base64.b64encode(json.dumps(principal).encode()).decode()
    headers = received(
        X_MS_CLIENT_PRINCIPAL=told,
        X_MS_CLIENT_PRINCIPAL_ID="ada-id",
        X_MS_CLIENT_PRINCIPAL_NAME="Ada",
        X_MS_CLIENT_PRINCIPAL_IDP="aad",
    )
    with pytest.raises(Unauthenticated, match="a bearer token is required"):
        await behind_the_platform.verify(headers)


@pytest.mark.parametrize("authorization", ["", "Basic YTpi", "Bearer nonsense"])
async def test_a_bad_authorization_header_is_not_made_good_by_the_platform_s_token(
    behind_the_platform: TokenVerifier, rsa_issuer: Any, claims: Claims, authorization: str
) -> None:
    headers = {"Authorization": authorization, PLATFORM_TOKEN: rsa_issuer.sign(claims())}
    with pytest.raises(Unauthenticated):
        await behind_the_platform.verify(headers)
    assert not signed_in_by_cookie(headers)


async def test_access_tokens_and_id_tokens_may_name_the_application_differently(
    behind_the_platform: TokenVerifier, rsa_issuer: Any, claims: Claims
) -> None:
    for audience in (claims()["aud"], "client-id"):
        token = rsa_issuer.sign(claims(aud=audience))
        assert await behind_the_platform.verify({PLATFORM_TOKEN: token})


async def test_an_id_token_from_the_platform_is_a_person_s_unless_it_says_otherwise(
    behind_the_platform: TokenVerifier, rsa_issuer: Any, claims: Claims
) -> None:
    for more, program in (({}, False), ({"idtyp": "app"}, True)):
        token = rsa_issuer.sign(claims(scp=..., nonce="of the platform", **more))
        person = await behind_the_platform.verify({PLATFORM_TOKEN: token})
        assert person.program is program


@pytest.mark.parametrize("client", ["azp", "appid"])
async def test_a_program_s_access_token_is_no_id_token_though_the_platform_passed_it_on(
    behind_the_platform: TokenVerifier, rsa_issuer: Any, claims: Claims, client: str
) -> None:
    for scope, program in ((..., True), ("user_impersonation", False)):
        token = rsa_issuer.sign(claims(scp=scope, **{client: "an agent"}))
        person = await behind_the_platform.verify({PLATFORM_TOKEN: token})
        assert person.program is program


async def test_without_the_platform_its_header_proves_nobody(
    verifier: TokenVerifier, rsa_issuer: Any, claims: Claims
) -> None:
    with pytest.raises(Unauthenticated, match="a bearer token is required"):
        await verifier.verify(received(**{PLATFORM_TOKEN: rsa_issuer.sign(claims())}))


async def test_a_key_that_may_be_new_is_not_called_wrong_while_the_issuer_is_out_of_reach(
    behind_the_platform: TokenVerifier,
    server: Any,
    clock: Any,
    other_rsa_issuer: Any,
    claims: Claims,
) -> None:
    rotated = {PLATFORM_TOKEN: other_rsa_issuer.sign(claims(exp=clock.now.timestamp() + 9_000))}
    with pytest.raises(Unauthenticated, match="signature"):
        await behind_the_platform.verify(rotated)
    server.status = 500
    clock.pass_time(REFRESH_FLOOR)
    for _ in range(2):
        with pytest.raises(KeysUnavailable):
            await behind_the_platform.verify(rotated)
    server.status = 200
    server.publish(other_rsa_issuer.entry)
    clock.pass_time(REFRESH_FLOOR)
    assert await behind_the_platform.verify(rotated)


async def test_people_whom_the_platform_signs_in_decide_and_what_has_their_token_does_not(
    terms: TokenTerms, keys: KeySet, clock: Any, rsa_issuer: Any, claims: Claims
) -> None:
    nobody_named = replace(terms, clients=frozenset())
    verifier = TokenVerifier(nobody_named, keys, platform=True, clock=clock)
    signed_in = {PLATFORM_TOKEN: rsa_issuer.sign(claims(scp=..., nonce="of the platform"))}
    assert not (await verifier.verify(signed_in)).program
    for client in ({}, {"azp": "an agent"}):
        token = rsa_issuer.sign(claims(**client))
        assert (await verifier.verify({"Authorization": f"Bearer {token}"})).program
