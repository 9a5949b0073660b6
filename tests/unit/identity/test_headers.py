import base64
import json
from collections.abc import Callable, Mapping
from typing import Any

import azure.functions as func
import pytest

from countersign.identity.errors import KeysUnavailable, Unauthenticated
from countersign.identity.headers import PLATFORM_TOKEN, signed_in_by_cookie
from countersign.identity.keys import REFRESH_FLOOR, KeySet
from countersign.identity.tokens import TokenVerifier

Claims = Callable[..., dict[str, Any]]


def received(**headers: str) -> Mapping[str, str]:
    """Headers as an endpoint gets them; `_` stands for `-`."""
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    return func.HttpRequest("GET", "http://localhost/", headers=sent, body=b"").headers


async def test_the_id_token_of_a_browser_that_the_platform_signed_in_proves_a_person(
    verifier: TokenVerifier, rsa_issuer: Any, claims: Claims
) -> None:
    token = rsa_issuer.sign(claims())
    person = await verifier.verify(received(x_ms_token_aad_id_token=token))
    assert (person.id, person.roles) == ("ada-id", {"Report.Reviewer"})
    assert await verifier.verify(received(**{PLATFORM_TOKEN: token})) == person


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"aud": "api://other"}, "another audience"),
        ({"iss": "https://elsewhere.example"}, "another issuer"),
        ({"tid": "elsewhere"}, "not served here"),
        ({"exp": 1}, "expired"),
    ],
)
async def test_an_id_token_is_checked_like_any_other_though_the_platform_passed_it_on(
    verifier: TokenVerifier, rsa_issuer: Any, claims: Claims, changes: dict[str, Any], why: str
) -> None:
    token = rsa_issuer.sign(claims(**changes))
    with pytest.raises(Unauthenticated, match=why):
        await verifier.verify({PLATFORM_TOKEN: token})


async def test_an_id_token_of_somebody_else_s_making_proves_nothing(
    verifier: TokenVerifier, other_rsa_issuer: Any, claims: Claims
) -> None:
    with pytest.raises(Unauthenticated, match="signature"):
        await verifier.verify({PLATFORM_TOKEN: other_rsa_issuer.sign(claims())})


async def test_the_platform_s_unsigned_word_is_never_believed(verifier: TokenVerifier) -> None:
    principal = {"auth_typ": "aad", "claims": [{"typ": "roles", "val": "Report.Reviewer"}]}
    told = base64.b64encode(json.dumps(principal).encode()).decode()
    headers = received(
        X_MS_CLIENT_PRINCIPAL=told,
        X_MS_CLIENT_PRINCIPAL_ID="ada-id",
        X_MS_CLIENT_PRINCIPAL_NAME="Ada",
        X_MS_CLIENT_PRINCIPAL_IDP="aad",
    )
    with pytest.raises(Unauthenticated, match="a bearer token is needed"):
        await verifier.verify(headers)


@pytest.mark.parametrize("authorization", ["", "Basic YTpi", "Bearer nonsense"])
async def test_a_bad_authorization_header_is_not_made_good_by_the_platform_s_token(
    verifier: TokenVerifier, rsa_issuer: Any, claims: Claims, authorization: str
) -> None:
    headers = {"Authorization": authorization, PLATFORM_TOKEN: rsa_issuer.sign(claims())}
    with pytest.raises(Unauthenticated):
        await verifier.verify(headers)
    assert not signed_in_by_cookie(headers)


async def test_access_tokens_and_id_tokens_may_name_the_application_differently(
    keys: KeySet, rsa_issuer: Any, claims: Claims, clock: Any
) -> None:
    verifier = TokenVerifier(
        issuer=claims()["iss"],
        audiences=["api://countersign", "client-id"],
        jwks=keys,
        tenants=None,
        clock=clock,
    )
    for audience in ("api://countersign", "client-id"):
        token = rsa_issuer.sign(claims(aud=audience))
        assert await verifier.verify({PLATFORM_TOKEN: token})


async def test_a_key_that_may_be_new_is_not_called_wrong_while_the_issuer_is_out_of_reach(
    verifier: TokenVerifier, server: Any, clock: Any, other_rsa_issuer: Any, claims: Claims
) -> None:
    rotated = {PLATFORM_TOKEN: other_rsa_issuer.sign(claims(exp=clock.now.timestamp() + 9_000))}
    with pytest.raises(Unauthenticated, match="signature"):
        await verifier.verify(rotated)
    server.status = 500
    clock.pass_time(REFRESH_FLOOR)
    for _ in range(2):
        with pytest.raises(KeysUnavailable):
            await verifier.verify(rotated)
    server.status = 200
    server.publish(other_rsa_issuer.entry)
    clock.pass_time(REFRESH_FLOOR)
    assert await verifier.verify(rotated)
