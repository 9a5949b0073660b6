import hashlib
import json
import os
import subprocess
import sys
from base64 import urlsafe_b64encode
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import jwt
import pytest
from starlette.applications import Starlette

from devhost.identity.session import COOKIE
from devhost.identity.signin import Signin
from devhost.identity.suggestions import Suggestions
from devhost.identity.tokens import AUDIENCE, ISSUER, Tokens

from .conftest import Clock

FORM = {"name": "Ada", "roles": "Report.Reviewer", "tenant": "home"}


@pytest.fixture
def tokens(tmp_path: Path, clock: Clock) -> Tokens:
    return Tokens(tmp_path, clock)


@pytest.fixture
def browser(tmp_path: Path, clock: Clock) -> httpx.AsyncClient:
    transport = httpx.ASGITransport(Starlette(routes=Signin(tmp_path, clock).routes()))
    return httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:7071")


async def keys(browser: httpx.AsyncClient) -> dict[str, Any]:
    return (await browser.get("/.auth/dev/jwks")).json()


async def test_a_token_is_good_for_a_client_that_knows_only_the_key_set(
    tokens: Tokens, browser: httpx.AsyncClient
) -> None:
    token = tokens.token(name="Ada", roles=["Report.Reviewer", "Auditor"], tenant="other")
    key = jwt.PyJWKSet.from_dict(await keys(browser))[jwt.get_unverified_header(token)["kid"]]
    claims = jwt.decode(token, key, ["RS256"], audience=AUDIENCE, issuer=ISSUER)
    assert claims["name"] == "Ada"
    assert claims["tid"] == "other"
    assert claims["roles"] == ["Report.Reviewer", "Auditor"]
    assert claims["oid"] == claims["sub"]
    assert claims["exp"] - claims["iat"] == 43200
    assert claims["nbf"] == claims["iat"]


async def test_the_page_says_what_the_settings_say_and_offers_their_people(
    tmp_path: Path, clock: Clock
) -> None:
    settings = {"DEVHOST_ABOUT": "It's <an> app.", "DEVHOST_PEOPLE": 'A"da=One Two; ;Grace'}
    signin = Signin(tmp_path, clock, Suggestions.of(settings))
    transport = httpx.ASGITransport(Starlette(routes=signin.routes()))
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:7071") as browser:
        page = (await browser.get("/.auth/login/dev")).text
    assert "<p>It&#x27;s &lt;an&gt; app.</p>" in page
    assert page.count('<form class="person"') == 2
    assert "<button><strong>A&quot;da</strong> One, Two</button>" in page


async def test_the_roles_that_the_settings_name_are_there_to_choose_from(
    tmp_path: Path, clock: Clock
) -> None:
    people = {"DEVHOST_PEOPLE": "Ada=One Two; Grace=Two T<hree"}
    signin = Signin(tmp_path, clock, Suggestions.of(people))
    transport = httpx.ASGITransport(Starlette(routes=signin.routes()))
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:7071") as browser:
        page = (await browser.get("/.auth/login/dev")).text
        chosen = {"name": "Joan", "roles": ["One", "Two"]}
        await browser.post("/.auth/login/dev", data=chosen)
        [me] = (await browser.get("/.auth/me")).json()
    for role in ("One", "Two", "T&lt;hree"):
        assert page.count(f'name="roles" value="{role}"') == 1
    claims = me["user_claims"]
    assert [each["val"] for each in claims if each["typ"] == "roles"] == ["One", "Two"]


async def test_the_key_set_shows_no_private_part_and_names_the_key_by_its_thumbprint(
    browser: httpx.AsyncClient,
) -> None:
    (key,) = (await keys(browser))["keys"]
    assert set(key) == {"kty", "n", "e", "kid", "use", "alg"}
    canonical = json.dumps({m: key[m] for m in ("e", "kty", "n")}, separators=(",", ":"))
    digest = hashlib.sha256(canonical.encode()).digest()
    assert key["kid"] == urlsafe_b64encode(digest).decode().rstrip("=")


def subject(token: str) -> str:
    return jwt.decode(token, options={"verify_signature": False})["sub"]


def test_a_name_is_the_same_person_every_time_unless_told_otherwise(
    tokens: Tokens, tmp_path: Path, clock: Clock
) -> None:
    ada = subject(tokens.token(name="Ada", roles=[]))
    assert subject(Tokens(tmp_path / "elsewhere", clock).token(name="Ada", roles=["X"])) == ada
    assert subject(tokens.token(name="Grace", roles=[])) != ada
    assert subject(tokens.token(name="Ada", roles=[], subject="ada-2")) == "ada-2"


async def test_tokens_stay_good_when_the_host_starts_again(
    browser: httpx.AsyncClient, tmp_path: Path, clock: Clock
) -> None:
    before = await keys(browser)
    token = Tokens(tmp_path, clock).token(name="Ada", roles=[])
    assert jwt.get_unverified_header(token)["kid"] == before["keys"][0]["kid"]


ISSUE = """
import sys
from datetime import datetime, timezone
from pathlib import Path
from devhost.identity.tokens import Tokens
tokens = Tokens(Path(sys.argv[1]), lambda: datetime.now(timezone.utc))
sys.stdin.readline()
print(tokens.token(name="Ada", roles=[]))
"""


def test_processes_that_start_together_share_one_key(tmp_path: Path) -> None:
    command = [sys.executable, "-c", ISSUE, str(tmp_path)]
    processes = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    tokens = [process.communicate(timeout=60)[0].strip() for process in processes]
    assert len({jwt.get_unverified_header(token)["kid"] for token in tokens}) == 1
    assert [file.name for file in (tmp_path / "devhost").iterdir()] == ["signin.pem"]


@pytest.mark.skipif(
    os.name == "nt", reason="Windows guards files by ACLs; run it on Linux or macOS"
)
def test_only_its_owner_can_read_the_key(tokens: Tokens, tmp_path: Path) -> None:
    tokens.token(name="Ada", roles=[])
    assert (tmp_path / "devhost" / "signin.pem").stat().st_mode & 0o777 == 0o600


async def test_signing_in_opens_a_session_that_me_describes(browser: httpx.AsyncClient) -> None:
    form = {
        **FORM,
        "roles": "Report.Reviewer, Auditor Owner",
        "post_login_redirect_uri": "/api/x?y=1",
    }
    answer = await browser.post("/.auth/login/dev", data=form)
    assert (answer.status_code, answer.headers["location"]) == (303, "/api/x?y=1")
    assert "httponly" in answer.headers["set-cookie"].lower()
    assert "samesite=lax" in answer.headers["set-cookie"].lower()

    (identity,) = (await browser.get("/.auth/me")).json()
    claims = [(claim["typ"], claim["val"]) for claim in identity["user_claims"]]
    assert identity["provider_name"] == "dev"
    assert identity["user_id"] == subject(identity["id_token"])
    assert ("name", "Ada") in claims
    roles = [value for claim, value in claims if claim == "roles"]
    assert roles == ["Report.Reviewer", "Auditor", "Owner"]


async def test_without_a_session_me_knows_nobody(browser: httpx.AsyncClient) -> None:
    answer = await browser.get("/.auth/me")
    assert (answer.status_code, answer.json()) == (401, [])


async def test_a_session_ends_with_its_token_by_the_host_s_clock(
    browser: httpx.AsyncClient, clock: Clock
) -> None:
    await browser.post("/.auth/login/dev", data=FORM)
    clock.now += timedelta(hours=11, minutes=59)
    assert (await browser.get("/.auth/me")).status_code == 200
    clock.now += timedelta(minutes=2)
    assert (await browser.get("/.auth/me")).status_code == 401


async def test_a_cookie_signed_by_another_key_opens_nothing(
    browser: httpx.AsyncClient, tmp_path: Path, clock: Clock
) -> None:
    forged = Tokens(tmp_path / "elsewhere", clock).token(name="Ada", roles=["Auditor"])
    for cookie in (forged, "nonsense", f"{forged}x"):
        browser.cookies.set(COOKIE, cookie)
        assert (await browser.get("/.auth/me")).status_code == 401


async def test_signing_out_ends_the_session_and_a_link_only_asks(
    browser: httpx.AsyncClient,
) -> None:
    await browser.post("/.auth/login/dev", data=FORM)
    asked = await browser.get("/.auth/logout?post_logout_redirect_uri=/api/review")
    assert "Yes, sign me out" in asked.text
    assert "set-cookie" not in asked.headers
    assert (await browser.get("/.auth/me")).status_code == 200
    answer = await browser.post("/.auth/logout", data={"post_logout_redirect_uri": "/api/review"})
    assert answer.headers["location"] == "/api/review"
    assert (await browser.get("/.auth/me")).status_code == 401


async def test_a_page_of_another_port_signs_nobody_out(browser: httpx.AsyncClient) -> None:
    await browser.post("/.auth/login/dev", data=FORM)
    for path in ("/.auth/logout", "/.auth/dev/logout"):
        answer = await browser.post(path, headers={"Origin": "http://127.0.0.1:8080"})
        assert answer.status_code == 403
    assert (await browser.get("/.auth/me")).status_code == 200


async def test_a_form_that_is_too_long_is_refused(browser: httpx.AsyncClient) -> None:
    long = {**FORM, "roles": "x" * 70_000}
    assert (await browser.post("/.auth/login/dev", data=long)).status_code == 413
    assert (await browser.post("/.auth/dev/token", data=long)).status_code == 413


ELSEWHERE = [
    "https://evil.example/",
    "//evil.example/",
    "/\\evil.example/",
    # browsers drop the tab, and the two slashes meet
    "/\t/evil.example/",
    "/\r\nSet-Cookie: a=b",
    "javascript:alert(1)",
    "evil.example",
    "/caf\u00e9",
]


@pytest.mark.parametrize("target", ELSEWHERE)
async def test_nobody_is_sent_to_another_site(browser: httpx.AsyncClient, target: str) -> None:
    form = {**FORM, "post_login_redirect_uri": target}
    into = await browser.post("/.auth/login/dev", data=form)
    wanted = {"post_logout_redirect_uri": target}
    out = await browser.post("/.auth/logout", data=wanted)
    asked = await browser.get("/.auth/logout", params=wanted)
    for answer in (into, out, asked):
        assert answer.status_code == 422
        assert "location" not in answer.headers
        assert "set-cookie" not in answer.headers


async def test_the_page_escapes_what_it_was_asked_for(browser: httpx.AsyncClient) -> None:
    hostile = '"><script>alert(1)</script>$name'
    page = await browser.get("/.auth/login/dev", params={"post_login_redirect_uri": hostile})
    assert page.status_code == 200
    assert "<script" not in page.text
    assert "default-src 'none'" in page.headers["content-security-policy"]


async def test_a_form_without_a_name_signs_nobody_in(browser: httpx.AsyncClient) -> None:
    for form in ({}, {"name": "  "}):
        answer = await browser.post("/.auth/login/dev", data=form)
        assert answer.status_code == 422
        assert "set-cookie" not in answer.headers


async def test_another_site_cannot_sign_the_developer_in(browser: httpx.AsyncClient) -> None:
    for origin in ("https://evil.example", "http://127.0.0.1:9999", "null"):
        answer = await browser.post("/.auth/login/dev", data=FORM, headers={"Origin": origin})
        assert answer.status_code == 403
    own = {"Origin": "http://127.0.0.1:7071"}
    assert (await browser.post("/.auth/login/dev", data=FORM, headers=own)).status_code == 303


@pytest.mark.parametrize("path", ["/.auth/me", "/.auth/login/dev", "/.auth/logout"])
async def test_a_foreign_name_for_this_machine_gets_no_session(
    browser: httpx.AsyncClient, path: str
) -> None:
    answer = await browser.get(path, headers={"Host": "rebound.example:7071"})
    assert answer.status_code == 421
    for own in ("localhost:7071", "127.0.0.1", "[::1]:7071"):
        assert (await browser.get(path, headers={"Host": own})).status_code != 421
