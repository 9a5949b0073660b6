"""What a page at another port of this machine can do to the host of a browser that visits it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

import pytest
from playwright.sync_api import Page

from testbed.site import Site

CONTROL = re.compile(rb"[\x00-\x08\x0b-\x1f\x7f]")


@pytest.fixture
def hostile(arrive: Callable[..., Any], site: Site) -> Page:
    """A page of the site, in the browser of somebody who is signed in at the host."""
    victor = arrive("Victor", watched=False)
    victor.sign_in()
    site.pages["/"] = (200, {"Content-Type": "text/html"}, b"<!doctype html><title>x</title>")
    page = victor.context.new_page()
    page.goto(site.url("/"))
    return page


def blindly(page: Page, method: str, url: str) -> None:
    """Have the page send what a browser sends without asking the host first."""
    page.evaluate(
        """([method, url]) => fetch(url, {method, mode: "no-cors", credentials: "include",
            body: method === "POST" ? "{}" : undefined}).then(() => 0, () => 0)""",
        [method, url],
    )


def by_form(page: Page, url: str) -> int:
    """Have the page send a form, which takes the browser to the answer.

    Returns:
        The answer's status, once the browser has loaded it: a page that is still on its way would
        interrupt the next one.
    """
    with page.expect_navigation() as waiting:
        page.evaluate(
            """url => { const form = document.createElement("form"); form.method = "post";
                form.action = url; document.body.append(form); form.submit(); }""",
            url,
        )
    return waiting.value.status


def test_it_ends_no_operation_and_runs_no_function(hostile: Page, desk: Any, offered: str) -> None:
    instances = f"{desk.host.url}/runtime/webhooks/durabletask/instances"
    mine = (offered, f"{offered}-v1")
    for instance in mine:
        for what in ("terminate?reason=x", "suspend", "rewind", "raiseEvent/decision"):
            blindly(hostile, "POST", f"{instances}/{quote(instance)}/{what}")
    blindly(hostile, "POST", f"{desk.host.url}/admin/functions/reconcile")
    assert by_form(hostile, f"{instances}/{quote(mine[0])}/terminate") == 403
    assert {desk.host.instance(each)["runtimeStatus"] for each in mine} == {"Running"}


def test_it_signs_nobody_out_and_is_taken_for_nobody(hostile: Page, desk: Any, site: Site) -> None:
    for path in ("/.auth/logout", "/.auth/dev/logout"):
        blindly(hostile, "GET", f"{desk.host.url}{path}")
        blindly(hostile, "POST", f"{desk.host.url}{path}")
    assert by_form(hostile, f"{desk.host.url}/.auth/logout") == 403
    me = hostile.context.request.get(f"{desk.host.url}/.auth/me")
    assert me.json()[0]["user_id"]
    hostile.goto(site.url("/"))
    with hostile.expect_response(lambda response: "/api/me" in response.url) as waiting:
        blindly(hostile, "GET", f"{desk.host.url}/api/me")
    assert waiting.value.status == 401


def test_an_address_that_it_asks_for_steers_no_terminal(hostile: Page, desk: Any) -> None:
    clipboard = quote("\x1b]52;c;ZXZpbA==\x07\x9b2J\r\n2026-01-01T00:00:00Z forged")
    for path in ("/", "/api/", "/api/operations/", "/devhost/timeline/", "/.auth/"):
        hostile.evaluate(
            "url => new Promise(done => { const image = new Image();"
            " image.onload = image.onerror = done; image.src = url; })",
            f"{desk.host.url}{path}{clipboard}",
        )
    log = desk.host.log.read_bytes()
    lines = [line for line in log.split(b"\n") if b"52;c;" in line]
    assert lines
    assert not [line for line in lines if CONTROL.search(line)]
    assert b"\n2026-01-01T00:00:00Z forged" not in log
