"""The local sign-in as an OpenID provider: what a page gets from it, and what it does not."""

from __future__ import annotations

from base64 import urlsafe_b64encode
from datetime import timedelta
from hashlib import sha256
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import httpx
import jwt
import pytest
from starlette.applications import Starlette

from devhost.identity.signin import Signin
from devhost.identity.tokens import AUDIENCE, ISSUER

from .conftest import Clock

HOST = "http://127.0.0.1:7072"
AUTHORITY = f"{HOST}/.auth/dev"
PAGE = "http://localhost:7071/api/review"
FORM = {"name": "Ada", "roles": "Report.Reviewer", "tenant": "home"}
VERIFIER = "v" * 43
ASKED = {
    "client_id": "page",
    "redirect_uri": PAGE,
    "response_type": "code",
    "response_mode": "fragment",
    "scope": "openid profile",
    "state": "of the page",
    "nonce": "once",
    "code_challenge": urlsafe_b64encode(sha256(VERIFIER.encode()).digest()).rstrip(b"=").decode(),
    "code_challenge_method": "S256",
}


@pytest.fixture
def browser(tmp_path: Path, clock: Clock) -> httpx.AsyncClient:
    transport = httpx.ASGITransport(Starlette(routes=Signin(tmp_path, clock).routes()))
    return httpx.AsyncClient(transport=transport, base_url=HOST)


def said(answer: httpx.Response) -> dict[str, str]:
    """What the page is told behind the #."""
    assert answer.status_code == 303, answer.text
    target = urlsplit(answer.headers["location"])
    assert f"{target.scheme}://{target.netloc}{target.path}" == PAGE
    return {name: values[0] for name, values in parse_qs(target.fragment).items()}


async def ask(browser: httpx.AsyncClient, **changes: str) -> httpx.Response:
    return await browser.get(f"{AUTHORITY}/authorize", params={**ASKED, **changes})


async def code_of(browser: httpx.AsyncClient) -> str:
    """The code for somebody who signs in."""
    await browser.post("/.auth/login/dev", data=FORM)
    return said(await ask(browser))["code"]


def redeeming(code: str) -> dict[str, str]:
    form = {"grant_type": "authorization_code", "code": code, "redirect_uri": PAGE}
    return {**form, "client_id": "page", "code_verifier": VERIFIER}


async def refused(browser: httpx.AsyncClient, form: dict[str, str]) -> str:
    answer = await browser.post(f"{AUTHORITY}/token", data=form)
    assert answer.status_code == 400
    return answer.json()["error"]


async def test_it_describes_itself_under_the_name_that_it_is_asked_by(
    browser: httpx.AsyncClient,
) -> None:
    told = await browser.get(f"{AUTHORITY}/.well-known/openid-configuration")
    assert told.json()["issuer"] == AUTHORITY
    assert told.headers["access-control-allow-origin"] == "*"


async def test_whoever_signs_in_is_led_back_with_a_code_for_tokens(
    browser: httpx.AsyncClient,
) -> None:
    asking = await ask(browser)
    assert urlsplit(asking.headers["location"]).path == "/.auth/login/dev"
    target = parse_qs(urlsplit(asking.headers["location"]).query)["post_login_redirect_uri"][0]
    form = {**FORM, "post_login_redirect_uri": target}
    back = await browser.post("/.auth/login/dev", data=form)
    told = said(await browser.get(back.headers["location"]))
    assert (told["state"], told["iss"]) == ("of the page", AUTHORITY)
    given = await browser.post(f"{AUTHORITY}/token", data=redeeming(told["code"]))
    assert given.headers["access-control-allow-origin"] == "*"
    tokens = given.json()
    [key] = (await browser.get("/.auth/dev/jwks")).json()["keys"]
    public = jwt.PyJWK(key)
    access = jwt.decode(tokens["access_token"], public, audience=AUDIENCE, issuer=ISSUER)
    assert (access["name"], access["scp"]) == ("Ada", "user_impersonation")
    person = jwt.decode(tokens["id_token"], public, audience="page", issuer=AUTHORITY)
    assert (person["sub"], person["nonce"]) == (access["sub"], "once")


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"response_type": "token"}, "unsupported_response_type"),
        ({"code_challenge_method": "plain"}, "invalid_request"),
        ({"code_challenge": ""}, "invalid_request"),
        ({"scope": "profile"}, "invalid_request"),
        ({"client_id": ""}, "invalid_request"),
    ],
)
async def test_what_no_page_of_today_asks_for_is_refused(
    browser: httpx.AsyncClient, changes: dict[str, str], error: str
) -> None:
    await browser.post("/.auth/login/dev", data=FORM)
    assert said(await ask(browser, **changes))["error"] == error


async def test_whoever_may_not_be_asked_is_led_back_at_once(browser: httpx.AsyncClient) -> None:
    assert said(await ask(browser, prompt="none"))["error"] == "login_required"
    await browser.post("/.auth/login/dev", data=FORM)
    assert "code" in said(await ask(browser, prompt="none"))


async def test_whoever_is_signed_in_may_sign_in_as_somebody_else(
    browser: httpx.AsyncClient,
) -> None:
    await browser.post("/.auth/login/dev", data=FORM)
    for prompt in ("login", "select_account"):
        location = (await ask(browser, prompt=prompt)).headers["location"]
        assert urlsplit(location).path == "/.auth/login/dev"


@pytest.mark.parametrize(
    "target", ["https://evil.example/api/review", "http://127.0.0.1.evil.example/", "/api/review"]
)
async def test_codes_go_to_pages_of_this_machine_alone(
    browser: httpx.AsyncClient, target: str
) -> None:
    await browser.post("/.auth/login/dev", data=FORM)
    answer = await ask(browser, redirect_uri=target)
    assert (answer.status_code, "location" in answer.headers) == (400, False)


async def test_a_code_is_good_once(browser: httpx.AsyncClient) -> None:
    form = redeeming(await code_of(browser))
    assert (await browser.post(f"{AUTHORITY}/token", data=form)).status_code == 200
    assert await refused(browser, form) == "invalid_grant"


@pytest.mark.parametrize(
    "changes",
    [
        {"code_verifier": "w" * 43},
        {"code_verifier": ""},
        {"redirect_uri": "http://127.0.0.1:9/"},
        {"client_id": "another"},
        {"code": "guessed"},
    ],
)
async def test_a_code_is_good_for_nobody_else(
    browser: httpx.AsyncClient, changes: dict[str, str]
) -> None:
    form = {**redeeming(await code_of(browser)), **changes}
    assert await refused(browser, form) == "invalid_grant"


async def test_a_challenge_that_no_verifier_can_have_is_met_by_none(
    browser: httpx.AsyncClient,
) -> None:
    await browser.post("/.auth/login/dev", data=FORM)
    code = said(await ask(browser, code_challenge="é" * 43))["code"]
    assert await refused(browser, redeeming(code)) == "invalid_grant"


async def test_a_code_and_a_refresh_token_end(browser: httpx.AsyncClient, clock: Clock) -> None:
    code = await code_of(browser)
    given = await browser.post(f"{AUTHORITY}/token", data=redeeming(await code_of(browser)))
    clock.now += timedelta(minutes=1)
    assert await refused(browser, redeeming(code)) == "invalid_grant"
    clock.now += timedelta(days=1)
    assert await refused(browser, refreshing(given)) == "invalid_grant"


def refreshing(given: httpx.Response) -> dict[str, str]:
    secret = given.json()["refresh_token"]
    return {"grant_type": "refresh_token", "refresh_token": secret, "client_id": "page"}


async def test_a_refresh_token_is_good_once_and_gives_the_next(
    browser: httpx.AsyncClient,
) -> None:
    first = await browser.post(f"{AUTHORITY}/token", data=redeeming(await code_of(browser)))
    second = await browser.post(f"{AUTHORITY}/token", data=refreshing(first))
    assert second.status_code == 200
    assert await refused(browser, refreshing(first)) == "invalid_grant"
    assert (await browser.post(f"{AUTHORITY}/token", data=refreshing(second))).status_code == 200


async def test_another_kind_of_grant_is_refused(browser: httpx.AsyncClient) -> None:
    for form in ({}, {"grant_type": "password"}):
        assert await refused(browser, form) == "unsupported_grant_type"


async def test_whoever_signs_out_is_led_back_and_asked_again(browser: httpx.AsyncClient) -> None:
    await browser.post("/.auth/login/dev", data=FORM)
    wanted = {"post_logout_redirect_uri": PAGE}
    asked = await browser.get(f"{AUTHORITY}/logout", params=wanted)
    assert f'value="{PAGE}"' in asked.text
    assert "code" in said(await ask(browser, prompt="none"))
    out = await browser.post(f"{AUTHORITY}/logout", data=wanted)
    assert out.headers["location"] == PAGE
    assert said(await ask(browser, prompt="none"))["error"] == "login_required"
    evil = {"post_logout_redirect_uri": "https://evil.example"}
    assert (await browser.get(f"{AUTHORITY}/logout", params=evil)).status_code == 400
    assert (await browser.post(f"{AUTHORITY}/logout", data=evil)).status_code == 400


@pytest.mark.parametrize(
    "path", ["authorize", "token", "logout", ".well-known/openid-configuration"]
)
async def test_a_foreign_name_for_this_machine_gets_nothing(
    browser: httpx.AsyncClient, path: str
) -> None:
    method = "POST" if path == "token" else "GET"
    answer = await browser.request(
        method, f"{AUTHORITY}/{path}", headers={"Host": "rebound.example:7072"}
    )
    assert answer.status_code == 421
