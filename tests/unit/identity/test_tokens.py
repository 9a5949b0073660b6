import hashlib
import hmac
import json
from base64 import urlsafe_b64encode
from collections.abc import Callable
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jwt.algorithms import ECAlgorithm

from countersign.approvals.person import Person
from countersign.identity.errors import Unauthenticated
from countersign.identity.headers import MAX_TOKEN
from countersign.identity.keys import MAX_AGE
from countersign.identity.tokens import LEEWAY, TokenVerifier

Claims = Callable[..., dict[str, Any]]


def part(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value)
    return urlsafe_b64encode(text.encode()).rstrip(b"=").decode()


async def refusal(verifier: TokenVerifier, authorization: str | None) -> str:
    with pytest.raises(Unauthenticated) as caught:
        await verifier.verify({} if authorization is None else {"Authorization": authorization})
    return str(caught.value)


async def test_a_good_token_proves_a_person(
    verifier: TokenVerifier, rsa_issuer: Any, claims: Claims
) -> None:
    person = await verifier.verify({"Authorization": f"Bearer {rsa_issuer.sign(claims())}"})
    assert person == Person(
        id="ada-id", name="Ada", tenant="home", roles=frozenset({"Report.Reviewer"})
    )


async def test_a_token_may_be_signed_on_an_elliptic_curve(
    verifier: TokenVerifier, ec_issuer: Any, claims: Claims
) -> None:
    assert (
        await verifier.verify({"Authorization": f"Bearer {ec_issuer.sign(claims())}"})
    ).id == "ada-id"


async def test_the_scheme_s_capitals_do_not_matter(
    verifier: TokenVerifier, rsa_issuer: Any, claims: Claims
) -> None:
    assert await verifier.verify({"Authorization": f"bEARER  {rsa_issuer.sign(claims())} "})


@pytest.mark.parametrize("header", [None, "", "Bearer", "Bearer ", "Basic YTpi", "Token x", "x"])
async def test_without_a_bearer_token_nobody_is_let_in(
    verifier: TokenVerifier, header: str | None
) -> None:
    assert await refusal(verifier, header) == "a bearer token is required"


@pytest.mark.parametrize(
    "token",
    [
        "otters",
        "a.b",
        "..",
        "a.b.c.d",
        "ä.ö.ü",
        f"{part('[]')}.{part('{}')}.c2ln",  # a header that is no object
        f"{part('[' * 9000)}.{part('{}')}.c2ln",  # one that is nested too deeply to be read
        f"{part({'alg': 'RS256', 'kid': 7})}.{part('{}')}.c2ln",
        f"{part({'alg': 'RS256', 'kid': 'rsa-1', 'crit': ['x']})}.{part('{}')}.c2ln",
        "a" * (MAX_TOKEN + 1),
    ],
)
async def test_a_malformed_token_is_refused(verifier: TokenVerifier, token: str) -> None:
    assert await refusal(verifier, f"Bearer {token}") == "the token is malformed"


@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    header=st.text(max_size=60) | st.text(alphabet="aB.0_-=", max_size=60).map("Bearer ".__add__)
)
async def test_any_text_is_refused_and_nothing_else_happens(
    verifier: TokenVerifier, header: str
) -> None:
    await refusal(verifier, header)


UNVERIFIABLE = "the token's signature cannot be verified"


@pytest.mark.parametrize("algorithm", ["none", "None", "NONE", "", None, 7, ["RS256"]])
async def test_a_token_without_a_signature_is_refused_before_any_key_is_asked_for(
    verifier: TokenVerifier, server: Any, claims: Claims, algorithm: Any
) -> None:
    header = {"alg": algorithm, "kid": "rsa-1", "typ": "JWT"}
    token = f"{part(header)}.{part(claims())}."
    assert await refusal(verifier, f"Bearer {token}") == UNVERIFIABLE
    assert server.requests == 0


@pytest.mark.parametrize("form", ["pem", "jwk"])
async def test_a_public_key_is_not_taken_for_a_shared_secret(
    verifier: TokenVerifier, rsa_issuer: Any, claims: Claims, form: str
) -> None:
    public = rsa_issuer.private.public_key()
    pem = public.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    secret = pem if form == "pem" else json.dumps(rsa_issuer.entry).encode()
    signed = f"{part({'alg': 'HS256', 'kid': 'rsa-1'})}.{part(claims())}"
    mac = hmac.new(secret, signed.encode(), hashlib.sha256).digest()
    token = f"{signed}.{urlsafe_b64encode(mac).rstrip(b'=').decode()}"
    assert await refusal(verifier, f"Bearer {token}") == UNVERIFIABLE


@pytest.mark.parametrize("algorithm", ["RS384", "RS512", "PS256"])
async def test_other_algorithms_are_refused_even_with_the_right_key(
    verifier: TokenVerifier, rsa_issuer: Any, claims: Claims, algorithm: str
) -> None:
    token = rsa_issuer.sign(claims(), alg=algorithm)
    assert await refusal(verifier, f"Bearer {token}") == UNVERIFIABLE


async def test_a_key_is_used_with_its_own_algorithm_only(
    verifier: TokenVerifier, ec_issuer: Any, claims: Claims
) -> None:
    token = ec_issuer.sign(claims(), kid="rsa-1")
    assert await refusal(verifier, f"Bearer {token}") == UNVERIFIABLE


async def test_somebody_else_s_signature_is_refused(
    verifier: TokenVerifier, other_rsa_issuer: Any, claims: Claims
) -> None:
    token = other_rsa_issuer.sign(claims(), kid="rsa-1")
    assert await refusal(verifier, f"Bearer {token}") == UNVERIFIABLE


async def test_an_unknown_key_is_refused(
    verifier: TokenVerifier, other_rsa_issuer: Any, claims: Claims
) -> None:
    assert await refusal(verifier, f"Bearer {other_rsa_issuer.sign(claims())}") == UNVERIFIABLE


async def test_a_token_s_own_key_or_key_address_counts_for_nothing(
    verifier: TokenVerifier, other_rsa_issuer: Any, claims: Claims
) -> None:
    forged = {"jwk": other_rsa_issuer.entry, "jku": "https://attacker.example/keys"}
    token = other_rsa_issuer.sign(claims(), **forged)
    assert await refusal(verifier, f"Bearer {token}") == UNVERIFIABLE


@pytest.mark.parametrize("changed", ["roles", "tid", "exp"])
async def test_a_changed_claim_breaks_the_signature(
    verifier: TokenVerifier, rsa_issuer: Any, claims: Claims, changed: str
) -> None:
    header, _, signature = rsa_issuer.sign(claims()).split(".")
    forged = f"{header}.{part(claims(**{changed: 'Auditor'}))}.{signature}"
    assert await refusal(verifier, f"Bearer {forged}") == UNVERIFIABLE


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"iss": "https://issuer.example/other"}, "the token is from another issuer"),
        ({"iss": "https://issuer.example/home/"}, "the token is from another issuer"),
        ({"iss": ...}, "the token is malformed"),
        ({"aud": "api://other"}, "the token is for another audience"),
        ({"aud": ["api://other"]}, "the token is for another audience"),
        ({"aud": ...}, "the token is malformed"),
        ({"exp": ...}, "the token is malformed"),
        ({"exp": "4102444800"}, "the token is malformed"),
        ({"exp": True}, "the token is malformed"),
        ({"exp": float("inf")}, "the token is malformed"),
        ({"exp": float("nan")}, "the token is malformed"),
        ({"exp": 10**400}, "the token is malformed"),
        ({"nbf": "tomorrow"}, "the token is malformed"),
        ({"iat": None}, "the token is malformed"),
        ({"oid": ...}, "the token names no subject in `oid`"),
        ({"oid": ""}, "the token names no subject in `oid`"),
        ({"oid": 7}, "the token names no subject in `oid`"),
        ({"oid": "a\nb"}, "the token names no subject in `oid`"),
        ({"oid": "a\ud800"}, "the token names no subject in `oid`"),
        ({"oid": "x" * 256}, "the token names no subject in `oid`"),
        ({"sub": 7}, "the token is malformed"),
        ({"tid": ...}, "the token names no tenant"),
        ({"tid": ""}, "the token names no tenant"),
        ({"tid": "home\n"}, "the token names no tenant"),
        ({"tid": "../home"}, "the token names no tenant"),
        ({"tid": "x" * 65}, "the token names no tenant"),
        ({"tid": ["home"]}, "the token names no tenant"),
        ({"tid": "other"}, "the token is from a tenant that this app does not serve"),
        ({"tid": "HOME"}, "the token is from a tenant that this app does not serve"),
    ],
)
async def test_claims_that_prove_nothing_are_refused(
    verifier: TokenVerifier, rsa_issuer: Any, claims: Claims, changes: Any, reason: str
) -> None:
    assert await refusal(verifier, f"Bearer {rsa_issuer.sign(claims(**changes))}") == reason


async def test_one_of_several_audiences_may_be_ours(
    verifier: TokenVerifier, rsa_issuer: Any, claims: Claims
) -> None:
    audiences = ["api://other", claims()["aud"]]
    assert await verifier.verify(
        {"Authorization": f"Bearer {rsa_issuer.sign(claims(aud=audiences))}"}
    )


async def test_a_token_is_good_until_its_expiry_by_our_clock_and_no_moment_longer(
    verifier: TokenVerifier, rsa_issuer: Any, claims: Claims, clock: Any
) -> None:
    token = rsa_issuer.sign(claims())
    clock.pass_time(3599.999)
    assert await verifier.verify({"Authorization": f"Bearer {token}"})
    clock.pass_time(0.001)
    assert await refusal(verifier, f"Bearer {token}") == "the token has expired"


@pytest.mark.parametrize("claim", ["nbf", "iat"])
async def test_an_issuer_s_clock_may_be_a_little_ahead(
    verifier: TokenVerifier, rsa_issuer: Any, claims: Claims, claim: str
) -> None:
    now = claims()["iat"]
    ahead = rsa_issuer.sign(claims(**{claim: now + LEEWAY}))
    assert await verifier.verify({"Authorization": f"Bearer {ahead}"})
    further = rsa_issuer.sign(claims(**{claim: now + LEEWAY + 1}))
    assert await refusal(verifier, f"Bearer {further}") == "the token is not valid yet"


@pytest.mark.parametrize("name", ["JWT", "jwt", "at+jwt", "application/at+jwt", None])
async def test_an_access_token_may_say_that_it_is_one(
    verifier: TokenVerifier, rsa_issuer: Any, claims: Claims, name: str | None
) -> None:
    token = rsa_issuer.sign(claims(), typ=name)
    assert await verifier.verify({"Authorization": f"Bearer {token}"})


@pytest.mark.parametrize("name", ["logout+jwt", "secevent+jwt", "dpop+jwt", "refresh", "JWTs"])
async def test_what_an_issuer_signs_for_another_purpose_lets_nobody_in(
    verifier: TokenVerifier, rsa_issuer: Any, claims: Claims, name: str
) -> None:
    token = rsa_issuer.sign(claims(), typ=name)
    assert "of a type" in await refusal(verifier, f"Bearer {token}")


@pytest.mark.parametrize("scope", [..., "", ["user_impersonation"]])
async def test_an_id_token_is_no_bearer_token(
    verifier: TokenVerifier, rsa_issuer: Any, claims: Claims, scope: Any
) -> None:
    token = rsa_issuer.sign(claims(scp=scope, nonce="of a sign-in", azp="page"))
    assert "an id token" in await refusal(verifier, f"Bearer {token}")


async def test_a_refusal_holds_nothing_of_the_token(
    verifier: TokenVerifier, rsa_issuer: Any, claims: Claims
) -> None:
    token = rsa_issuer.sign(claims(tid="secret-tenant", oid="secret-id"))
    with pytest.raises(Unauthenticated) as caught:
        await verifier.verify({"Authorization": f"Bearer {token}"})
    assert "secret" not in repr(caught.value)
    assert caught.value.__suppress_context__ or caught.value.__context__ is None


async def test_a_signature_on_another_curve_is_refused(
    verifier: TokenVerifier, server: Any, ec_issuer: Any, claims: Claims
) -> None:
    private = ec.generate_private_key(ec.SECP384R1())
    entry = ECAlgorithm.to_jwk(private.public_key(), as_dict=True)
    server.publish({**entry, "kid": "p384", "alg": "ES256"}, ec_issuer.entry)
    token = ec_issuer.sign(claims(), kid="p384")
    assert await refusal(verifier, f"Bearer {token}") == UNVERIFIABLE


async def test_a_signature_is_checked_once_for_as_long_as_its_key_counts(
    verifier: TokenVerifier,
    rsa_issuer: Any,
    ec_issuer: Any,
    server: Any,
    claims: Claims,
    clock: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    decoded: list[str] = []

    def decode(token: str, *args: Any, **options: Any) -> Any:
        decoded.append(token)
        return real(token, *args, **options)

    real = jwt.decode
    monkeypatch.setattr(jwt, "decode", decode)
    token = rsa_issuer.sign(claims(exp=claims()["exp"] + 10 * MAX_AGE))
    first, again = [await verifier.verify({"Authorization": f"Bearer {token}"}) for _ in range(2)]
    assert first == again
    assert decoded == [token]
    server.publish(ec_issuer.entry)
    clock.pass_time(MAX_AGE + 1)
    assert await refusal(verifier, f"Bearer {token}") == "the token's signature cannot be verified"
