"""Who is let in when a platform in front of the app signs browsers in."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import quote

import httpx
import pytest

from countersign.identity.headers import PLATFORM_TOKEN
from endpoints.callers import PAGE_HEADER

REQUEST = {"topic": "How durable execution survives crashes"}
OURS = {PAGE_HEADER: "1"}

Browse = Callable[..., httpx.Client]

platform = pytest.mark.devhost_only("it stands in for the platform's sign-in")


@pytest.fixture
def browse(platform_desk: Any) -> Iterator[Browse]:
    """Opens a browser at the host and signs a person in, so that a cookie tells who asks."""
    browsers: list[httpx.Client] = []

    def signed_in(name: str, *roles: str) -> httpx.Client:
        browser = httpx.Client(base_url=platform_desk.host.url, trust_env=False)
        browsers.append(browser)
        form = {"name": name, "roles": ",".join(roles), "tenant": "home"}
        assert browser.post("/.auth/login/dev", data=form).status_code == 303
        return browser

    yield signed_in
    for browser in browsers:
        browser.close()


@platform
def test_a_browser_that_the_platform_signed_in_may_look_and_decide(
    platform_desk: Any, browse: Browse
) -> None:
    operation_id = platform_desk.ask()
    proposal = platform_desk.until_version(operation_id)
    browser = browse("Victor", "Report.Reviewer")
    path = f"/api/operations/{operation_id}/proposals/1"
    assert browser.get(path).status_code == 200
    decision = {"decision": "approve", "digest": proposal["digest"]}
    decided = browser.post(f"{path}/decision", headers=OURS, json=decision)
    assert decided.status_code == 200, decided.text
    assert decided.json()["receipt"]["by"] == "Victor"


@platform
def test_roles_count_for_a_browser_as_for_anyone(browse: Browse) -> None:
    answer = browse("Mallory").post("/api/research", headers=OURS, json=REQUEST)
    assert (answer.status_code, answer.json()["code"]) == (403, "not_authorised")


@platform
def test_a_page_that_still_shows_somebody_else_changes_nothing(
    platform_desk: Any, browse: Browse
) -> None:
    operation_id = platform_desk.ask()
    before = platform_desk.until_version(operation_id)
    victor, wanda = (browse(name, "Report.Reviewer") for name in ("Victor", "Wanda"))
    path = f"/api/operations/{operation_id}/proposals/1/decision"
    decision = {"decision": "approve", "digest": before["digest"]}
    of_victor = {PAGE_HEADER: quote(victor.get("/api/me").json()["id"], safe="")}
    answer = wanda.post(path, headers=of_victor, json=decision)
    assert (answer.status_code, answer.json()["code"]) == (409, "another_person")
    assert answer.json()["name"] == "Wanda"
    assert platform_desk.until_version(operation_id) == before
    assert victor.post(path, headers=of_victor, json=decision).status_code == 200


@platform
def test_another_site_s_form_changes_nothing_though_the_browser_adds_its_cookie(
    platform_desk: Any, browse: Browse
) -> None:
    operation_id = platform_desk.ask()
    before = platform_desk.until_version(operation_id)
    browser = browse("Rita", "Research.Requester")
    for path in ("research", f"operations/{operation_id}/withdraw"):
        answer = browser.post(f"/api/{path}", json=REQUEST)
        assert (answer.status_code, answer.json()["code"]) == (403, "forgery_suspected")
    assert platform_desk.until_version(operation_id) == before


@platform
def test_nobody_signs_in_by_sending_the_platform_s_headers(platform_desk: Any) -> None:
    claims = [{"typ": "roles", "val": "Report.Reviewer"}, {"typ": "tid", "val": "home"}]
    told = base64.b64encode(json.dumps({"auth_typ": "aad", "claims": claims}).encode())
    headers = {
        PLATFORM_TOKEN: platform_desk.reviewer,
        "X-MS-CLIENT-PRINCIPAL": told.decode(),
        "X-MS-CLIENT-PRINCIPAL-ID": "victor",
        **OURS,
    }
    answer = platform_desk.host.call("GET", "proposals", headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (401, "unauthenticated")


def test_a_cookie_that_is_no_session_signs_nobody_in(desk: Any) -> None:
    cookie = {"Cookie": "devhost-session=eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZGEifQ."}
    answer = desk.host.call("GET", "operations", headers=cookie)
    assert (answer.status_code, answer.json()["code"]) == (401, "unauthenticated")


def test_without_the_issuer_s_keys_the_fault_is_nobody_s_token(make_host: Any, desk: Any) -> None:
    settings = {"COUNTERSIGN_TOKEN_JWKS": "http://127.0.0.1:9/keys"}
    host = make_host(**settings).start()
    answer = host.call("GET", "operations", desk.requester)
    assert (answer.status_code, answer.json()["code"]) == (503, "keys_unavailable")


def test_a_program_may_ask_for_itself_and_decides_nothing(desk: Any) -> None:
    agent = desk.host.token("An agent", "Research.Requester", "Report.Reviewer", program=True)
    asked = desk.host.call("POST", "research", agent, json=REQUEST)
    assert asked.status_code == 202, asked.text
    assert not desk.host.call("GET", "me", agent).json()["may"]["decide"]
    before = desk.until_version(waiting := desk.ask())
    decision = {"decision": "approve", "digest": before["digest"]}
    path = f"operations/{waiting}/proposals/1/decision"
    answer = desk.host.call("POST", path, agent, json=decision)
    assert (answer.status_code, answer.json()["code"]) == (403, "people_only")
    assert desk.until_version(waiting) == before
    assert desk.host.call("POST", path, desk.reviewer, json=decision).status_code == 200


def test_a_person_s_token_for_something_else_lets_nobody_in(make_host: Any) -> None:
    named = {"COUNTERSIGN_TOKEN_SCOPE": "reports.decide"}
    host = make_host(**named).start()
    token = host.token("Victor", "Report.Reviewer", "Research.Requester")
    for method, path in (("GET", "me"), ("POST", "research")):
        answer = host.call(method, path, token, json=REQUEST)
        assert (answer.status_code, answer.json()["code"]) == (403, "insufficient_scope")
        assert answer.json()["scope"] == "reports.decide"
        assert answer.headers["WWW-Authenticate"] == 'Bearer error="insufficient_scope"'
    agent = host.token("An agent", "Research.Requester", program=True)
    assert host.call("POST", "research", agent, json=REQUEST).status_code == 202


@platform
def test_where_the_page_signs_people_in_a_cookie_proves_nobody(desk: Any) -> None:
    with httpx.Client(base_url=desk.host.url, trust_env=False) as browser:
        form = {"name": "Victor", "roles": "Report.Reviewer", "tenant": "home"}
        assert browser.post("/.auth/login/dev", data=form).status_code == 303
        assert browser.get("/api/me").status_code == 401


def test_anybody_learns_how_one_signs_in(desk: Any, platform_desk: Any) -> None:
    told = desk.host.call("GET", "sign-in").json()
    assert {*told} == {"way", "authority", "client_id", "scope"}
    assert platform_desk.host.call("GET", "sign-in").json() == {"way": "platform"}


def test_where_no_way_to_sign_in_is_set_tokens_are_pasted(make_host: Any) -> None:
    host = make_host(COUNTERSIGN_SIGN_IN="none").start()
    assert host.call("GET", "sign-in").json() == {"way": "token"}
