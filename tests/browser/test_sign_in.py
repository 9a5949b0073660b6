"""Signing in by the host's own page or with a token, and out again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from devhost.process import free_port
from local.issuer import IssuerProcess
from local.settings import complete
from testbed.desk import Desk


@pytest.fixture(scope="module")
def desk(shared_host: Any) -> Desk:
    """People whom the page itself signs in."""
    return Desk(shared_host)


def without_platform(visitor: Any) -> None:
    """Have no sign-in in front of the app, as under bare Core Tools."""
    visitor.context.route("**/.auth/**", lambda route: route.fulfill(status=404))


def paste(page: Page, token: str) -> None:
    page.get_by_label("Token", exact=True).fill(token)
    page.get_by_role("button", name="Use this token").click()


def test_whoever_follows_a_link_signs_in_and_is_where_it_leads(arrive: Any, offered: str) -> None:
    victor = arrive("Victor")
    page = victor.open(operation=offered, version=1)
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    page.get_by_role("link", name="Sign in").click()
    victor.fill_in(page)
    expect(page.get_by_role("button", name="Approve")).to_be_visible()
    assert urlsplit(page.url).query == f"operation={offered}&version=1"
    expect(page.locator(".person summary")).to_contain_text("Victor")


def test_a_click_on_a_suggested_person_signs_in_with_their_roles(arrive: Any) -> None:
    page = arrive("Anybody").open()
    page.get_by_role("link", name="Sign in").click()
    expect(page.get_by_text("One person asks, and somebody else decides.")).to_be_visible()
    page.get_by_role("button", name="Grace").click()
    expect(page.locator(".person summary")).to_contain_text("Grace")
    expect(page.locator(".person summary")).to_contain_text("report reviewer")


def test_whoever_signs_out_is_nobody_any_more(visit: Any) -> None:
    page = visit("Victor").open()
    page.locator(".person summary").click()
    expect(page.locator(".person-card")).to_contain_text("report reviewer · home")
    page.get_by_role("button", name="Sign out").click()
    page.get_by_role("button", name="Yes, sign me out").click()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    expect(page.locator(".person")).to_have_count(0)


def test_a_pasted_token_signs_in_this_tab_until_it_signs_out(
    arrive: Any, desk: Any, offered: str
) -> None:
    victor = arrive("Victor")
    without_platform(victor)
    page = victor.open(operation=offered, version=1)
    expect(page.get_by_role("link", name="Sign in")).to_have_count(0)
    paste(page, f" Bearer {desk.reviewer}\n")
    expect(page.get_by_role("button", name="Approve")).to_be_visible()
    page.reload()
    expect(page.get_by_role("button", name="Approve")).to_be_visible()
    assert victor.context.cookies() == []
    expect(victor.open().get_by_role("heading", name="Sign in")).to_be_visible()
    page.locator(".person summary").click()
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()


def test_a_token_that_is_no_token_lets_nobody_in(arrive: Any, desk: Any) -> None:
    victor = arrive("Victor")
    without_platform(victor)
    page = victor.open()
    paste(page, desk.reviewer[:-8] + "AAAAAAAA")
    expect(page.get_by_role("alert")).to_contain_text("The pasted token is not accepted.")
    paste(page, desk.reviewer)
    expect(page.get_by_role("navigation", name="Lists")).to_be_visible()


def test_a_person_without_roles_reads_that_they_have_none(visit: Any) -> None:
    page = visit("Mallory").open()
    expect(page.locator(".person summary")).to_contain_text("no role")
    expect(page.get_by_role("link", name="New request")).to_have_count(0)
    notice = page.locator("main .notice")
    expect(notice).to_contain_text("You are signed in as Mallory, without a role in this app.")
    expect(notice).to_contain_text("Ask the person who assigns roles in your organisation")


@pytest.fixture
def beside(tmp_path: Path) -> Iterator[IssuerProcess]:
    """The local sign-in in a process of its own, as for an app that Core Tools run."""
    with (tmp_path / "signin.log").open("w") as output:
        process = IssuerProcess(data=tmp_path / "signin", port=free_port(), output=output)
        process.start()
        yield process
        process.kill()


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost"])
def test_an_app_that_another_host_runs_signs_people_in_at_the_sign_in_beside_it(
    arrive: Any, make_host: Any, beside: IssuerProcess, name: str, tmp_path: Path
) -> None:
    given = complete({}, port=0, data=tmp_path / "app", signin=beside.port)
    settings = {key: given[key] for key in given if "_SIGN_IN" in key or "_JWKS" in key}
    host = make_host(**settings).start()
    victor = arrive("Victor", host=host, watched=False)
    page = victor.context.new_page()
    page.goto(f"{host.url.replace('127.0.0.1', name)}/api/review")
    page.get_by_role("link", name="Sign in").click()
    victor.fill_in(page)
    expect(page.locator(".person summary")).to_contain_text("Victor")
    page.reload()
    expect(page.locator(".person summary")).to_contain_text("Victor")
