"""What comes to wait while a list is shown: it appears, is marked and counted, and is told of."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Locator, Page, expect

HOUR = 3600


def titles(page: Page) -> Locator:
    return page.locator(".row-title")


def test_rows_arrive_by_themselves_and_are_marked_and_counted(
    visit: Any, desk: Any, desk_class: Callable[..., Any]
) -> None:
    others = desk_class(desk.host, tenant=f"live-{uuid.uuid4().hex[:8]}")
    others.report_waiting("Tidal mills", HOUR)
    page = visit("Victor", tenant=others.tenant).open()
    expect(page.locator(".updated")).to_contain_text("Updated")
    expect(page.locator(".mark.new")).to_have_count(0)
    others.report_waiting("Leases", 2 * HOUR)
    expect(titles(page)).to_have_text(["Tidal mills", "Leases"])
    expect(page).to_have_title("Waiting for me (2) · Countersign")
    expect(page.get_by_role("navigation", name="Main")).to_contain_text("2")
    expect(page.get_by_role("heading", level=1)).to_have_text("Waiting for me (2)")
    expect(page.locator(".row").last.locator(".mark.new")).to_be_visible()
    titles(page).last.get_by_role("link").click()
    expect(page.locator(".mark.new")).to_have_count(0)


def test_what_moves_up_from_further_down_the_list_is_not_new(
    visit: Any, desk: Any, desk_class: Callable[..., Any]
) -> None:
    others = desk_class(desk.host, tenant=f"further-{uuid.uuid4().hex[:8]}")
    for topic in ("Tidal mills", "Leases"):
        others.report_waiting(topic, HOUR)
    victor = visit("Victor", tenant=others.tenant)
    shown = [1]

    def cut(page: dict[str, Any]) -> None:
        page["proposals"] = page["proposals"][: shown[0]]

    victor.receive("**/api/proposals?*", cut)
    page = victor.open()
    expect(titles(page)).to_have_count(1)
    shown[0] = 2
    # A tab that one comes back to looks at once.
    page.evaluate("() => dispatchEvent(new Event('focus'))")
    expect(titles(page)).to_have_count(2)
    expect(page.locator(".mark.new")).to_have_count(0)


NOTED = """globalThis.Notification = class extends Notification {
  static permission = "granted";
  static requestPermission = async () => "granted";
  constructor(title, more) {
    super(title, more);
    document.body.dataset.notified = `${title} ${more.body}`;
  }
};
document.hasFocus = () => false;"""
"""Notes what the browser is told to show, in a window that nobody looks at.

A browser without a window refuses, whatever it is told to grant.
"""


def test_the_browser_notifies_whoever_wants_that_of_what_comes_to_wait(
    visit: Any, desk: Any, desk_class: Callable[..., Any]
) -> None:
    others = desk_class(desk.host, tenant=f"told-{uuid.uuid4().hex[:8]}")
    victor = visit("Victor", tenant=others.tenant)
    victor.context.add_init_script(NOTED)
    page = victor.open()
    page.keyboard.press("?")
    page.get_by_label("Notify me of new proposals").check()
    page.get_by_role("button", name="Close").click()
    others.report_waiting("Tidal mills", HOUR)
    expect(titles(page)).to_have_text(["Tidal mills"])
    told = "Tidal mills waits for your decision"
    expect(page.locator("body")).to_have_attribute("data-notified", told)


REFUSED = """async () => {
  const at = (path) => import(new URL(`review/${path}`, document.baseURI).href);
  const { keep } = await at("browser/keep.js");
  const { notifyOf } = await at("inbox/notify.js");
  globalThis.Notification = class {
    static permission = "granted";
    constructor() {
      throw new TypeError("Illegal constructor.");
    }
  };
  document.hasFocus = () => false;
  keep("notify", true);
  notifyOf([{ title: "Tidal mills" }], () => undefined);
}"""


def test_a_browser_that_notifies_of_nothing_after_all_stops_nothing(visit: Any) -> None:
    visit("Victor").open().evaluate(REFUSED)
