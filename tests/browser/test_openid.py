"""The page's sign-in at a certified provider, and answers that it must not take."""

from __future__ import annotations

import json
import os
import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import httpx
import pytest
from playwright.sync_api import Page, Route, expect

from local.errors import Missing
from testbed.openid import AUDIENCE, Provider

PEOPLE = {"Rita": ["Research.Requester"], "Victor": ["Report.Reviewer"]}
COMMENT = "The second quote is about another mill."


@pytest.fixture(scope="session")
def new_provider(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Provider]:
    """Makes providers, or skips the test where there is no Node.js."""

    def make(**options: Any) -> Provider:
        try:
            return Provider(tmp_path_factory.mktemp("provider") / "log", PEOPLE, **options)
        except Missing as missing:
            if os.environ.get("COUNTERSIGN_REQUIRE_BROWSER"):
                raise
            pytest.skip(str(missing))

    return make


@pytest.fixture(scope="module")
def provider(new_provider: Callable[..., Provider]) -> Iterator[Provider]:
    """A provider for all tests here, whose tokens are good for seconds."""
    with new_provider(seconds=4) as running:
        yield running


@pytest.fixture(scope="module")
def host(
    provider: Provider, new_host: Any, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Any]:
    """The app, whose page signs people in there."""
    running = new_host(tmp_path_factory.mktemp("openid") / "data", **provider.settings).start()
    yield running
    running.close()


@pytest.fixture
def person(arrive: Callable[..., Any], host: Any) -> Callable[[str], Any]:
    """Makes people with browsers of their own, who are not signed in."""
    # The provider's own pages want a font of the web.
    return lambda name: arrive(name, host=host, watched=False)


def sign_in(page: Page, name: str) -> None:
    """Do what the provider's pages want."""
    page.get_by_role("link", name="Sign in").click()
    page.get_by_placeholder("Enter any login").fill(name)
    page.get_by_placeholder("and password").fill("any")
    page.get_by_role("button", name="Sign-in").click()
    page.get_by_role("button", name="Continue").click()


def signed_in(page: Page, name: str) -> None:
    expect(page.locator(".person summary")).to_contain_text(name)


def offered(page: Page) -> str:
    """Have the requester who is signed in ask for a report; returns the operation."""
    page.get_by_label("Topic", exact=True).fill("How durable execution survives crashes")
    page.get_by_role("button", name="Request the report").click()
    page.wait_for_url("**operation=**")
    return parse_qs(urlsplit(page.url).query)["operation"][0]


def test_a_report_from_request_to_receipt_by_people_of_a_certified_provider(
    person: Any, host: Any
) -> None:
    rita = person("Rita").open(new="")
    sign_in(rita, "Rita")
    operation = offered(rita)
    expect(rita.locator("main")).to_contain_text("version 1", ignore_case=True)
    victor = person("Victor")
    page = victor.open(operation=operation, version=1)
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    sign_in(page, "Victor")
    review = victor.on(page)
    review.begin("Reject", COMMENT)
    assert urlsplit(page.url).query == f"operation={operation}&version=1"
    assert "code" not in page.evaluate("location.href")
    stored = page.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}])")
    assert COMMENT in stored
    assert "eyJ" not in stored
    assert "verifier" not in stored
    review.send_with("Reject version 1").click()
    expect(review.receipt).to_contain_text("Recorded: Victor rejected version 1.")


def test_a_token_that_ends_is_renewed_with_what_was_typed_still_there(
    person: Any, host: Any
) -> None:
    tokens: list[str] = []
    rita = person("Rita")
    rita.context.on(
        "request", lambda request: tokens.append(request.headers.get("authorization", ""))
    )
    page = rita.open(new="")
    sign_in(page, "Rita")
    signed_in(page, "Rita")
    first = next(token for token in tokens if token)
    page.get_by_label("Topic", exact=True).fill("Tidal mills")
    headers = {"Authorization": first}
    host.until(
        lambda: host.call("GET", "me", headers=headers).status_code == 401, "the token has ended"
    )
    page.get_by_role("button", name="Request the report").click()
    page.wait_for_url("**operation=**")
    assert tokens[-1] not in ("", first)


def test_an_issuer_may_end_with_a_slash(
    provider: Provider, make_host: Callable[..., Any], arrive: Callable[..., Any]
) -> None:
    named = {**provider.settings, "COUNTERSIGN_SIGN_IN_AUTHORITY": f"{provider.url}/"}
    victor = arrive("Victor", host=make_host(**named).start(), watched=False)

    def name_it(description: dict[str, Any]) -> None:
        description["issuer"] = f"{provider.url}/"

    # OpenID Connect Discovery 1.0, section 4.1: the slash is left out before the rest is added.
    victor.receive(f"{provider.url}/.well-known/openid-configuration", name_it)
    link = victor.open().get_by_role("link", name="Sign in")
    expect(link).to_have_attribute("href", re.compile(re.escape(f"{provider.url}/auth?")))


def test_whoever_has_signed_in_once_is_not_asked_again(person: Any) -> None:
    victor = person("Victor")
    first = victor.open()
    sign_in(first, "Victor")
    signed_in(first, "Victor")
    signed_in(victor.open(), "Victor")


def test_whoever_reloads_is_told_what_was_not_sent_once_they_are_signed_in_again(
    person: Any, arrive: Any, host: Any
) -> None:
    rita = person("Rita").open(new="")
    sign_in(rita, "Rita")
    operation = offered(rita)
    expect(rita.locator("main")).to_contain_text("version 1", ignore_case=True)
    victor = arrive("Victor", host=host, watched=False, undo_seconds=3_600)
    page = victor.open(operation=operation, version=1)
    sign_in(page, "Victor")
    victor.on(page).approve()
    expect(page.get_by_role("region", name="About to be sent").locator(".held")).to_be_visible()
    page.on("dialog", lambda dialog: dialog.accept())
    page.reload()
    signed_in(page, "Victor")
    expect(page.get_by_text("You left before this was sent, so it was not")).to_be_visible()


def test_whoever_signs_out_is_signed_out_there_as_well(person: Any) -> None:
    page = person("Victor").open()
    sign_in(page, "Victor")
    signed_in(page, "Victor")
    page.locator(".person summary").click()
    page.get_by_role("button", name="Sign out").click()
    page.get_by_role("button", name="Yes, sign me out").click()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    page.reload()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()


def answering(changes: dict[str, str | None]) -> Callable[[Route], None]:
    """What the provider's authorization endpoint would say to a code, but for some of it."""

    def answer(route: Route) -> None:
        asked = {
            name: value[0] for name, value in parse_qs(urlsplit(route.request.url).query).items()
        }
        issuer = route.request.url.partition("/auth?")[0]
        told = {"code": "abc", "state": asked["state"], "iss": issuer, **changes}
        kept = urlencode({name: value for name, value in told.items() if value is not None})
        location = f"{asked['redirect_uri']}#{kept}"
        route.fulfill(status=303, headers={"Location": location})

    return answer


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"iss": "https://evil.example"}, "The answer is another issuer's."),
        ({"iss": None}, "The answer is another issuer's."),
        ({"state": "guessed"}, "No tab is waiting for this sign-in any more."),
    ],
)
def test_an_answer_that_is_not_to_what_was_asked_there_gets_no_token(
    person: Any, provider: Provider, changes: dict[str, str | None], said: str
) -> None:
    victor = person("Victor")
    asked: list[str] = []
    victor.context.on("request", lambda request: asked.append(request.url))
    victor.context.route(f"{provider.url}/auth?*", answering(changes))
    page = victor.open()
    expect(page.locator("main")).to_contain_text(said)
    assert f"{provider.url}/token" not in asked


def test_the_tab_that_was_left_says_why_another_one_s_answer_signed_nobody_in(
    person: Any, provider: Provider
) -> None:
    victor = person("Victor")
    refusal = {
        "code": None,
        "error": "access_denied",
        "error_description": "Nobody gave you a role.",
    }
    victor.context.route(f"{provider.url}/auth?*", answering(refusal))
    page = victor.open()
    link = page.get_by_role("link", name="Sign in").get_attribute("href")
    victor.context.new_page().goto(link)
    expect(page.get_by_role("alert")).to_contain_text("Nobody gave you a role.")
    expect(page.get_by_role("link", name="Sign in")).to_be_visible()


def changed(token: str, **claims: Any) -> str:
    """A token with other claims; its signature is not that of them any more."""
    header, payload, signature = token.split(".")
    told = json.loads(urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))
    payload = urlsafe_b64encode(json.dumps({**told, **claims}).encode()).rstrip(b"=").decode()
    return f"{header}.{payload}.{signature}"


@pytest.mark.parametrize(
    ("claims", "said"),
    [
        ({"nonce": "of another sign-in"}, "The id token is of another sign-in."),
        ({"iss": "https://evil.example"}, "The id token is another issuer's."),
        ({"aud": "another-page"}, "The id token is for somebody else."),
        ({"aud": ["page", "another"], "azp": "another"}, "The id token is for somebody else."),
        ({"exp": 1_700_000_000}, "The id token has ended, by the clock of this machine."),
        ({"exp": None}, "The id token has ended, by the clock of this machine."),
    ],
)
def test_tokens_of_another_sign_in_are_not_used(
    person: Any, provider: Provider, claims: dict[str, Any], said: str
) -> None:
    victor = person("Victor")
    victor.context.set_default_timeout(60_000)
    page = victor.open()

    def change(answer: dict[str, Any]) -> None:
        answer["id_token"] = changed(answer["id_token"], **claims)

    victor.receive(f"{provider.url}/token", change)
    sign_in(page, "Victor")
    expect(page.get_by_role("alert")).to_contain_text(said)
    expect(page.locator(".person")).to_have_count(0)


def test_a_code_is_good_once_and_for_whoever_has_its_verifier(
    person: Any, provider: Provider
) -> None:
    victor = person("Victor")
    sent: list[str] = []

    def note(route: Route) -> None:
        sent.append(route.request.post_data or "")
        route.continue_()

    victor.context.route(f"{provider.url}/token", note)
    page = victor.open()
    sign_in(page, "Victor")
    signed_in(page, "Victor")
    form = {name: value[0] for name, value in parse_qs(sent[0]).items()}
    assert len(form["code_verifier"]) == 43
    again = httpx.post(f"{provider.url}/token", data=form, trust_env=False)
    assert (again.status_code, again.json()["error"]) == (400, "invalid_grant")


def test_a_token_for_another_app_lets_nobody_in(
    new_provider: Any, make_host: Any, arrive: Any
) -> None:
    with new_provider(audience="urn:another") as elsewhere:
        assert elsewhere.settings["COUNTERSIGN_TOKEN_AUDIENCE"] == AUDIENCE
        host = make_host(**elsewhere.settings).start()
        page = arrive("Victor", host=host, watched=False).open()
        sign_in(page, "Victor")
        expect(page.get_by_role("alert")).to_contain_text("does not accept that token")
        expect(page.locator(".person")).to_have_count(0)
