"""Take the pictures of the reviewer's page that the documentation shows.

They come from a host of their own with the sample library, where three people play through one
report and one order, so that taking them again shows the same texts.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import httpx
from playwright.sync_api import Browser, Page, sync_playwright

from devhost.process import HostFailed, HostProcess
from local import demo_purchase
from local.browser import launch_options
from local.demo import REQUEST
from local.errors import Missing
from local.settings import APP
from local.stage import DemoFailed, caller, running_host, token, wait_for

FOLDER = APP / "docs" / "screenshots"
SIZES = {"wide": (1440, 900), "narrow": (360, 780)}
HOUR = 3600
OTHERS = {
    "Versioning workflows that are still running": HOUR // 2,
    "The four-eyes principle in approvals": 3 * HOUR,
    "Exactly-once effects and idempotency": 72 * HOUR,
}


def main() -> int:
    """Take all pictures anew, and return 0 only if that worked."""
    data = Path(tempfile.mkdtemp(prefix="countersign-screenshots-"))
    FOLDER.mkdir(parents=True, exist_ok=True)
    try:
        options = launch_options()
        with (
            demo_purchase.running_service(data) as service,
            running_host(data, demo_purchase.settings_for(service)) as host,
        ):
            take(Scene(host.port, data), options)
            take_order(host, data, options)
    except (DemoFailed, HostFailed, httpx.HTTPError, Missing) as error:
        print(f"dev.py: {error}", file=sys.stderr)
        return 1
    print(f"The pictures are in {FOLDER}")
    return 0


class Scene:
    """One report and its people, and some others that wait beside it.

    Attributes:
        operation: The report's id.
    """

    def __init__(self, port: int, data: Path) -> None:
        self.url = f"http://127.0.0.1:{port}"
        self._ada = caller(port, token(data, "Ada", "Research.Requester"))
        self._katherine = caller(port, token(data, "Katherine", "Report.Reviewer"))
        for topic, seconds in OTHERS.items():
            self._ask({"topic": topic, "approval": {"window_seconds": seconds}})
        self.operation = self._ask({**REQUEST, "approval": {"window_seconds": 2 * HOUR}})

    def revise(self) -> None:
        """Let another reviewer offer a text of her own as version 2."""
        path = f"/api/operations/{self.operation}/proposals/1"
        shown = self._katherine.get(path).json()
        body = {
            "decision": "revise",
            "digest": shown["digest"],
            "comment": "Say first what it means for operators, and leave out who wrote it.",
            "correction": {"text": reworded(shown["content"]["text"])},
        }
        self._katherine.post(f"{path}/decision", json=body)
        wait_for(self._ada, f"/api/operations/{self.operation}", "awaiting_approval")

    def publish(self) -> None:
        """Wait until what was approved is published."""
        wait_for(self._ada, f"/api/operations/{self.operation}", "published")

    def _ask(self, request: dict[str, Any]) -> str:
        operation = self._ada.post("/api/research", json=request).json()["operation_id"]
        wait_for(self._ada, f"/api/operations/{operation}", "awaiting_approval")
        return operation


def reworded(text: str) -> str:
    """Return the team's text as a careful reader would change it."""
    start, _, _ = text.rpartition("\n*Written by")
    return start.replace("\n\n\u201c", "\n\nWhat it means for operators: \u201c", 1)


def take(scene: Scene, options: dict[str, Any]) -> None:
    """Play the scene as Grace, and take a picture of each thing she sees."""
    with sync_playwright() as playwright, playwright.chromium.launch(**options) as browser:
        page = visitor(browser, scene.url, "Grace", "Report.Reviewer")
        address = f"{scene.url}/api/review"
        report = f"{address}?operation={scene.operation}"

        page.goto(address)
        page.locator(".preview .sheet").wait_for()
        picture(page, "inbox", ".row", dark=("narrow",))
        page.goto(f"{report}&version=1")
        # Claims of which nothing is to be checked are folded together.
        page.locator("summary").filter(has_text="other claims").click()
        page.locator(".claim > summary").filter(visible=True).first.click()
        picture(page, "proposal", ".passage", dark=("wide",))
        scene.revise()
        page.goto(f"{report}&version=2")
        picture(page, "changes", "del")
        page.get_by_role("button", name="Approve").click()
        picture(page, "decision", ".signature")
        page.get_by_role("button", name="Sign and approve").click()
        picture(page, "receipt", ".receipt", sizes=("narrow",))
        scene.publish()
        page.goto(report)
        picture(page, "operation", ".status .notice", dark=("narrow",))


def take_order(host: HostProcess, data: Path, options: dict[str, Any]) -> None:
    """Play an order that was corrected as Katherine, and take pictures of what she sees."""
    ada = caller(host.port, token(data, "Ada", "Purchase.Requester"))
    grace = caller(host.port, token(data, "Grace", "Purchase.Approver"))
    operation = demo_purchase.ask(ada)
    corrected = demo_purchase.correct(ada, grace, operation)
    demo_purchase.approve_own_correction(grace, operation, corrected)
    with sync_playwright() as playwright, playwright.chromium.launch(**options) as browser:
        page = visitor(browser, host.url, "Katherine", "Purchase.Approver")
        page.goto(f"{host.url}/api/review?operation={Path(operation).name}&version=2&since=1")
        picture(page, "order", ".order")
        page.get_by_role("tab", name="Changes").click()
        picture(page, "order-changes", ".order-difference", dark=("narrow",))


def visitor(browser: Browser, url: str, name: str, role: str) -> Page:
    """Return a page of somebody who is signed in."""
    context = browser.new_context(locale="en-GB", reduced_motion="reduce")
    person: dict[str, Any] = {"name": name, "roles": role, "tenant": "home"}
    context.request.post(f"{url}/.auth/login/dev", form=person)
    return context.new_page()


def picture(
    page: Page,
    name: str,
    awaited: str,
    *,
    sizes: Sequence[str] = tuple(SIZES),
    dark: Sequence[str] = (),
) -> None:
    """Take one at each size once what it is about is there.

    Args:
        page: What to take it of.
        name: What its files are named after.
        awaited: The CSS selector of what has to be on it.
        sizes: Which of SIZES it is taken at.
        dark: Those at which the page is shown dark.
    """
    subject = page.locator(awaited).first
    subject.wait_for()
    for size in sizes:
        width, height = SIZES[size]
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme="dark" if size in dark else "light")
        page.evaluate("scrollTo(0, 0)")
        if size == "narrow":
            subject.evaluate("it => it.scrollIntoView({ block: 'center' })")
        page.screenshot(path=FOLDER / f"{name}-{size}.png", animations="disabled")


if __name__ == "__main__":
    sys.exit(main())
