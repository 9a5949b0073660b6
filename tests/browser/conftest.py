"""People with browsers of their own at a running host."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Dialog,
    Error,
    Locator,
    Page,
    Request,
    Route,
    expect,
    sync_playwright,
)

from countersign.review.bundle import bundle_of
from countersign.review.files import page_files
from local.browser import launch_options
from local.errors import Missing
from testbed.buyers import Buyers
from testbed.desk import Desk

ROLES = {
    "Rita": "Research.Requester",
    "Victor": "Report.Reviewer",
    "Wanda": "Report.Reviewer",
    "Edith": "Report.Escalation",
}
PLACE: dict[str, Any] = {"locale": "en-GB", "timezone_id": "Europe/Berlin"}
PATIENCE_MILLISECONDS = 60_000
_KEEP = 'try {{ localStorage.setItem("countersign:undo-seconds", "{}") }} catch {{}}'
"""What a person sets who doesn't want to wait before a decision is sent."""

expect.set_options(timeout=PATIENCE_MILLISECONDS)


class Watch:
    """What no page may do in any test: complain, ask, or turn to another host.

    A policy that the page breaks is a complaint too: Chromium writes it to the console.

    Attributes:
        seen: What should not have been.
        requests: What was sent to the app.
    """

    def __init__(self) -> None:
        self.seen: list[str] = []
        self.requests: list[Request] = []

    def follow(self, context: BrowserContext, origin: str) -> None:
        """Note all that the pages of a context do from now on."""

        def requested(request: Request) -> None:
            if "/.auth/" not in request.url:
                self.requests.append(request)
            if not request.url.startswith((f"{origin}/", f"blob:{origin}/")):
                self.seen.append(f"a request to {request.url}")

        context.on("request", requested)
        context.on("console", self._said)
        context.on("weberror", lambda error: self.seen.append(f"a fault: {error.error}"))
        context.on("dialog", self._asked)

    def _said(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and not _is_refusal(message):
            self.seen.append(f"{message.type}: {message.text}")

    def _asked(self, dialog: Dialog) -> None:
        self.seen.append(f"a dialog: {dialog.message}")
        dialog.dismiss()


def _is_refusal(message: ConsoleMessage) -> bool:
    """Whether Chromium only notes that the API refused, which is for the page to explain."""
    path = urlsplit(message.location["url"]).path
    return message.text.startswith("Failed to load resource") and not path.startswith("/api/review")


class Version:
    """One version of an operation, as the page shows it to somebody who may decide."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.decide = page.get_by_label("Your decision")
        self.comment = page.locator("#comment")
        self.fault = page.locator("#comment-fault")
        self.receipt = page.locator(".receipt")
        self.alert = self.decide.get_by_role("alert").filter(has=page.locator(".notice-say"))
        self.text = page.get_by_label("Proposal").first
        self.claims = page.locator(".claim")

    def choice(self, name: str) -> Locator:
        return self.decide.get_by_role("group").get_by_role("button", name=name)

    def send_with(self, label: str) -> Locator:
        return self.page.locator("#ballot").get_by_role("button", name=label)

    def begin(self, choice: str, comment: str = "") -> None:
        """Open the form of a choice, and type into it."""
        self.choice(choice).click()
        if comment:
            self.comment.fill(comment)

    @property
    def written(self) -> Locator:
        """What the report is edited in with its formatting."""
        return self.page.get_by_role("textbox", name="Your text, formatted")

    @property
    def markdown(self) -> Locator:
        """The field that has the text in Markdown, once that is what is edited."""
        expect(self.page.locator(".text-field")).to_be_visible()
        choose = self.page.get_by_role("button", name="Edit as Markdown")
        if choose.is_visible():
            choose.click()
        return self.page.get_by_label("Report, in Markdown")

    def approve(self, comment: str = "") -> None:
        """Approve it, whatever comes of that."""
        self.begin("Approve", comment)
        self.send_with("Sign and approve").click()

    def tab(self, name: str) -> None:
        self.page.get_by_role("tab", name=name).click()


class Visitor:
    """One person with a browser profile of their own."""

    def __init__(self, context: BrowserContext, url: str, person: dict[str, Any]) -> None:
        self.context, self.url, self._person = context, url, person

    def sign_in(self) -> None:
        """Do what the sign-in page's form does."""
        answer = self.context.request.post(f"{self.url}/.auth/login/dev", form=self._person)
        assert answer.ok, answer.text()

    def sign_in_as(self, name: str) -> None:
        """Become somebody else in the same browser."""
        self._person = {**self._person, "name": name, "roles": ROLES[name]}
        self.sign_in()

    def fill_in(self, page: Page) -> None:
        """Sign in on the page that is there for it."""
        page.get_by_label("Name").fill(self._person["name"])
        page.get_by_label("Tenant").fill(self._person["tenant"])
        for role in self._person["roles"].split():
            page.get_by_label(role, exact=True).check()
        page.get_by_role("button", name="Sign in").click()

    def open(self, **query: Any) -> Page:
        """Open the page in a new tab, at what its address is to show."""
        page = self.context.new_page()
        page.goto(f"{self.url}/api/review?{urlencode(query)}")
        # Signing in leads away and back again, and what comes then is empty at first: a key that is
        # pressed there is lost.
        expect(page.locator("main[data-view]")).to_have_count(1)
        return page

    def receive(self, glob: str, change: Callable[[Any], Any]) -> None:
        """Let the pages get another answer than the API gave."""

        def answer(route: Route) -> None:
            # A page goes on asking until it is closed, and nobody heeds its last answers.
            with contextlib.suppress(Error):
                response = route.fetch()
                document = response.json()
                change(document)
                route.fulfill(response=response, json=document)

        self.context.route(glob, answer)

    def bring(self, script: Path) -> None:
        """Have the page load the script of another kind too, as from a server that has it."""
        bundle = bundle_of({**page_files(), f"kinds/{script.name}": script}, [])

        def served(route: Route) -> None:
            route.fulfill(body=bundle.script.decode(), content_type="text/javascript")

        self.context.route("**/review/page-*.js", served)

    def review(self, operation: str, version: int = 1) -> Version:
        """Open one version in a new tab."""
        return self.on(self.open(operation=operation, version=version))

    @staticmethod
    def on(page: Page) -> Version:
        """See a tab as the page of the version that it is at."""
        return Version(page)


@pytest.fixture(scope="module")
def browser(request: pytest.FixtureRequest) -> Iterator[Browser]:
    """One Chromium for a module: Playwright holds the thread's event loop while it runs."""
    if request.config.getoption("--host") != "devhost":
        pytest.skip("only devhost: its sign-in page is what lets the browser in")
    try:
        options = launch_options()
    except Missing as missing:
        if os.environ.get("COUNTERSIGN_REQUIRE_BROWSER"):
            raise
        pytest.skip(str(missing))
    with sync_playwright() as playwright, playwright.chromium.launch(**options) as chromium:
        yield chromium


@pytest.fixture
def watch() -> Iterator[Watch]:
    """What the pages of this test do; it fails if that is more than it should be."""
    watching = Watch()
    yield watching
    assert watching.seen == []


@pytest.fixture(scope="session")
def desk(platform_desk: Desk) -> Desk:
    """People whom the platform signs in: for those whom the page does, it is loaded twice."""
    return platform_desk


@pytest.fixture
def arrive(browser: Browser, watch: Watch, desk: Any) -> Iterator[Callable[..., Visitor]]:
    """Makes people who are not signed in, each with a browser profile of their own."""
    contexts: list[BrowserContext] = []

    def make(
        name: str,
        roles: str | None = None,
        *,
        host: Any = None,
        tenant: str = "home",
        watched: bool = True,
        undo_seconds: int | None = 0,
        **more: Any,
    ) -> Visitor:
        url = (host or desk.host).url
        contexts.append(browser.new_context(**{**PLACE, **more}))
        contexts[-1].set_default_timeout(PATIENCE_MILLISECONDS)
        if undo_seconds is not None:
            contexts[-1].add_init_script(_KEEP.format(undo_seconds))
        if watched:
            watch.follow(contexts[-1], url)
        roles = ROLES.get(name, "") if roles is None else roles
        return Visitor(contexts[-1], url, {"name": name, "roles": roles, "tenant": tenant})

    yield make
    for context in contexts:
        context.close()


@pytest.fixture
def visit(arrive: Callable[..., Visitor]) -> Callable[..., Visitor]:
    """Makes people who are signed in; the desk's people have the roles that they have there."""

    def make(*who: Any, **more: Any) -> Visitor:
        visitor = arrive(*who, **more)
        visitor.sign_in()
        return visitor

    return make


@pytest.fixture
def buyer(visit: Callable[..., Visitor], buyers: Buyers) -> Callable[..., Visitor]:
    """Makes people who are signed in where orders are asked for, in the roles they have there."""
    requesting, deciding, escalating = Buyers.ROLES
    roles = {"Rita": requesting, "Victor": deciding, "Wanda": deciding, "Edith": escalating}

    def make(name: str, more: str = "", **context: Any) -> Visitor:
        return visit(name, f"{roles[name]} {more}", host=buyers.host, **context)

    return make


@pytest.fixture
def offered(desk: Any) -> str:
    """An operation whose first version waits for a decision."""
    operation = desk.ask()
    desk.until_version(operation)
    return operation


@pytest.fixture(scope="session")
def decisions() -> Callable[[Any, str], list[dict[str, Any]]]:
    """Tells what was decided about an operation, as its history has it."""

    def told(desk: Any, operation: str) -> list[dict[str, Any]]:
        history = desk.history(operation)
        return [event["data"] for event in history if event["type"] == "DecisionRecorded"]

    return told


@pytest.fixture(scope="session")
def desk_class(desk: Any) -> type[Any]:
    """Makes the people of a tenant at a host, for longer than one test."""
    return type(desk)
