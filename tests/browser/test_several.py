"""Several rows approved with one signature: each is named, and sent with a digest of its own."""

from __future__ import annotations

from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect


def select(page: Page, operation: str) -> None:
    page.locator(f".row[data-operation='{operation}'] .row-select").check()


def open_sheet(page: Page) -> Any:
    page.get_by_role("button", name="Approve…").click()
    return page.get_by_role("dialog")


def test_one_signature_approves_what_still_can_be_and_the_rest_is_told_apart(
    buyer: Any, buyers: Any, watch: Any
) -> None:
    orders = [buyers.waiting("450.00", vendor=f"Vendor {name}") for name in "ABCD"]
    page = buyer("Victor").open(list="waiting")
    for operation, _ in orders:
        select(page, operation)
    expect(page.get_by_role("region", name="Selection")).to_contain_text("4 selected")
    decided, late, *others = orders
    buyers.decide(*decided, "reject", token=buyers.second)
    sheet = open_sheet(page)
    expect(sheet.get_by_role("heading", name="Approve 3 versions")).to_be_visible()
    expect(sheet.get_by_role("listitem")).to_have_count(3 + 1)
    expect(sheet.locator(".notice")).to_contain_text("Vendor A")
    expect(sheet).to_contain_text("I, Victor, approve these 3 versions.")
    expect(sheet).to_contain_text("Total: ")
    assert Axe().run(page).violations_count == 0
    buyers.decide(*late, "reject", token=buyers.second)
    sheet.get_by_role("button", name="Sign and approve 3 versions").click()
    told = page.get_by_role("region", name="About to be sent")
    expect(told).to_contain_text("Recorded: you approved 2 versions.")
    expect(told).to_contain_text("Not recorded:")
    expect(told.get_by_role("link")).to_have_count(1)
    sent = [each for each in watch.requests if each.url.endswith("/decision")]
    digests = {each.post_data_json["digest"] for each in sent}
    assert digests == {proposal["digest"] for _, proposal in (late, *others)}
    for operation, _ in others:
        buyers.until_state(operation, "ordered")
        expect(page.locator(f".row[data-operation='{operation}']")).to_have_count(0)
    expect(page.get_by_role("region", name="Selection")).to_be_hidden()


def test_the_sheet_says_which_versions_others_still_have_to_approve(
    buyer: Any, buyers: Any
) -> None:
    [small, _], [large, _] = buyers.waiting("450.00"), buyers.waiting("1200.00")
    page = buyer("Victor").open(list="waiting")
    for operation in (small, large):
        select(page, operation)
    sheet = open_sheet(page)
    versions = sheet.get_by_role("listitem")
    expect(versions.filter(has_text="2,400.00 EUR")).to_contain_text("Nothing is ordered yet: one")
    expect(versions.filter(has_text="900.00 EUR")).to_contain_text("The order is placed, once")
    sheet.get_by_role("button", name="Cancel").click()


def test_what_is_undone_approves_none_of_them(buyer: Any, buyers: Any, watch: Any) -> None:
    orders = [buyers.waiting("450.00") for _ in range(2)]
    page = buyer("Victor", undo_seconds=3_600).open(list="waiting")
    for operation, _ in orders:
        select(page, operation)
    open_sheet(page).get_by_role("button", name="Sign and approve 2 versions").click()
    expect(page.locator(".held")).to_contain_text("“Approve 2 versions” will be sent in")
    page.keyboard.press("z")
    expect(page.locator(".held")).to_have_count(0)
    assert not [each for each in watch.requests if each.url.endswith("/decision")]
    expect(page.get_by_role("region", name="Selection")).to_contain_text("2 selected")


def test_a_key_selects_the_row(buyer: Any, buyers: Any) -> None:
    operation, _ = buyers.waiting("450.00")
    page = buyer("Victor").open(list="waiting", row=operation)
    expect(page.locator(f".row[data-operation='{operation}'][data-chosen]")).to_be_visible()
    page.keyboard.press("x")
    expect(page.locator(f".row[data-operation='{operation}'] .row-select")).to_be_checked()
    page.keyboard.press("x")
    expect(page.get_by_role("region", name="Selection")).to_be_hidden()


def test_a_snoozed_row_reminds_its_reader_and_nobody_else(buyer: Any, buyers: Any) -> None:
    operation, _ = buyers.waiting("450.00")
    victor = buyer("Victor")
    page = victor.open(list="waiting")
    select(page, operation)
    page.get_by_role("button", name="Snooze 1 hour").click()
    row = page.locator(f".row[data-operation='{operation}']")
    expect(row).to_contain_text("Snoozed until")
    expect(page.get_by_role("region", name="Selection")).to_be_hidden()
    over = """() => {
      const name = Object.keys(localStorage).find((each) => each.includes(":snoozed:"));
      const ended = localStorage.getItem(name).replace(/"until":\\d+/, '"until":1');
      localStorage.setItem(name, ended); }"""
    page.evaluate(over)
    page.evaluate("() => dispatchEvent(new Event('focus'))")
    expect(row).to_contain_text("Reminder")
    other = buyer("Wanda").open(list="waiting").locator(f".row[data-operation='{operation}']")
    expect(other).to_be_visible()
    expect(other.locator(".mark.snoozed, .mark.reminder")).to_have_count(0)
