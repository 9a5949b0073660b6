"""The lists: what waits for me, the most urgent first, and everything else a click away."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

HOUR = 3600
WAITING = {"Tidal mills": 2 * HOUR, "Write-ahead logging": HOUR // 2, "Leases": 72 * HOUR}


@pytest.fixture(scope="module")
def busy(desk: Any, desk_class: Callable[..., Any]) -> Any:
    """A tenant where proposals wait, three of them for reviewers."""
    tenants = desk_class(desk.host, tenant=f"busy-{uuid.uuid4().hex[:8]}")
    for topic, seconds in WAITING.items():
        tenants.report_waiting(topic, seconds)
    for topic in ("Sagas", "Mills at sea"):
        tenants.report_waiting(topic, HOUR, role="Report.Escalation")
    return tenants


@pytest.fixture
def inbox(visit: Any, busy: Any) -> Page:
    return visit("Victor", tenant=busy.tenant).open()


def titles(page: Page) -> Locator:
    return page.locator(".row-title")


def chosen(page: Page) -> Locator:
    return page.locator(".row[data-chosen] .row-title")


def look_again(page: Page) -> None:
    """Come back to the tab, which is when a page that waits looks at once."""
    page.evaluate("() => dispatchEvent(new Event('focus'))")


def test_the_most_urgent_is_first_with_all_that_tells_whether_to_open_it(inbox: Page) -> None:
    expect(titles(inbox)).to_have_text(["Write-ahead logging", "Tidal mills", "Leases"])
    first = inbox.locator(".row").first
    expect(first).to_contain_text("Rita · today")
    expect(first.locator(".row-kind .icon")).to_be_visible()
    expect(first).not_to_contain_text("tokens")
    expect(first.locator(".row-evidence[data-state=good]")).to_have_text("1 claim")
    expect(first.locator(".countdown")).to_have_attribute("data-urgency", "urgent")
    expect(inbox.locator(".row .countdown").last).to_have_attribute("data-urgency", "calm")
    expect(inbox).to_have_title("Waiting for me (3) · Countersign")


def test_a_countdown_runs(inbox: Page) -> None:
    left = inbox.locator(".row .countdown").first
    said = left.inner_text()
    assert re.fullmatch(r"\d\d min( \d+ s)? left", said)
    expect(left).not_to_have_text(said)
    expect(left).to_contain_text("left")


def test_a_row_leads_to_its_proposal_and_back_leads_to_the_inbox(inbox: Page) -> None:
    titles(inbox).nth(1).get_by_role("link").press("Enter")
    expect(inbox.get_by_role("heading", level=1)).to_have_text("Tidal mills")
    inbox.go_back()
    expect(titles(inbox)).to_have_count(3)
    expect(chosen(inbox)).to_have_text("Tidal mills")
    inbox.go_forward()
    expect(inbox.get_by_role("heading", level=1)).to_have_text("Tidal mills")
    inbox.get_by_role("link", name="Waiting for me").click()
    expect(chosen(inbox)).to_have_text("Tidal mills")


def test_what_came_in_meanwhile_is_there_when_one_comes_back(
    visit: Any, desk: Any, desk_class: Callable[..., Any]
) -> None:
    others = desk_class(desk.host, tenant=f"new-{uuid.uuid4().hex[:8]}")
    victor = visit("Victor", tenant=others.tenant)
    page = victor.open()
    expect(page.locator(".notice")).to_contain_text("Nothing needs your decision.")
    expect(page.locator(".notice")).to_contain_text(
        "Proposals for your roles appear here automatically"
    )
    operation = others.report_waiting("Tidal mills", HOUR)
    look_again(page)
    expect(titles(page)).to_have_text(["Tidal mills"])
    victor.review(operation).approve()
    expect(page.locator(".notice")).to_contain_text("Nothing needs your decision.")


def test_each_state_is_a_click_away(visit: Any, desk: Any) -> None:
    ends = {"Published": "approve", "Rejected": "reject"}
    ended = {}
    for state, decision in ends.items():
        topic = f"{state} {uuid.uuid4().hex[:8]}"
        ended[state] = ask_for_end(desk, topic, decision)
    page = visit("Victor").open()
    lists = page.get_by_role("navigation", name="Lists")
    for state, topic in ended.items():
        lists.locator("summary").click()
        lists.get_by_role("link", name=state).click()
        row = page.locator(".row").filter(has_text=topic)
        expect(row.locator(".badge")).to_have_text(state)
        expect(lists.locator("summary")).to_have_text(state)
    lists.locator("summary").click()
    lists.get_by_role("link", name="Over budget").click()
    expect(page.locator(".notice")).to_contain_text("Nothing is in the state “Over budget”.")


def ask_for_end(desk: Any, topic: str, decision: str) -> str:
    operation = desk.report_waiting(topic, HOUR)
    desk.decide(operation, desk.until_version(operation), decision, comment="So be it.")
    desk.until_state(operation, "published", "rejected")
    return topic


def test_what_nobody_decided_is_among_the_expired(visit: Any, desk: Any) -> None:
    topic = f"Expired {uuid.uuid4().hex[:8]}"
    desk.until_state(desk.report_waiting(topic, 1), "expired")
    page = visit("Victor").open(list="expired")
    expect(page.locator(".row").filter(has_text=topic).locator(".badge")).to_have_text("Expired")


def test_the_server_finds_rows_by_words_and_by_role_and_counts_them(visit: Any, busy: Any) -> None:
    page = visit("Ruth", "Report.Reviewer Report.Escalation", tenant=busy.tenant).open()
    expect(titles(page)).to_have_count(5)
    page.get_by_label("Search").fill("MILLS rita")
    expect(titles(page)).to_have_text(["Mills at sea", "Tidal mills"])
    expect(page).to_have_title("Waiting for me (2) · Countersign")
    page.locator(".more-filters > summary").click()
    page.get_by_label("Role").select_option(label="report escalation")
    expect(titles(page)).to_have_text(["Mills at sea"])
    page.get_by_label("Search").fill("windmill")
    page.get_by_role("button", name="Clear the filter").click()
    expect(titles(page)).to_have_count(5)
    page.get_by_label("Sort").select_option(label="Oldest")
    expect(titles(page).first).to_have_text("Tidal mills")


def test_filter_order_and_row_are_in_the_address_and_survive_leaving(visit: Any, busy: Any) -> None:
    page = visit("Victor", tenant=busy.tenant).open(text="l", sort="oldest")
    expect(titles(page)).to_have_text(["Write-ahead logging", "Leases"])
    titles(page).last.get_by_role("link").click()
    expect(chosen(page)).to_have_text("Leases")
    page.reload()
    expect(chosen(page)).to_have_text("Leases")
    expect(page.get_by_label("Search")).to_have_value("l")
    titles(page).last.get_by_role("link").press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Leases")
    page.go_back()
    expect(titles(page)).to_have_text(["Write-ahead logging", "Leases"])
    expect(chosen(page)).to_have_text("Leases")
    shared = page.context.new_page()
    shared.goto(page.url)
    expect(chosen(shared)).to_have_text("Leases")


def test_keys_move_through_the_rows_and_show_each_beside_the_list(inbox: Page) -> None:
    preview = inbox.get_by_label("Selected row")
    expect(preview.get_by_role("heading", level=2).first).to_have_text("Write-ahead logging")
    for key, title in (("j", "Write-ahead logging"), ("j", "Tidal mills"), ("k", "Write-ahead")):
        inbox.keyboard.press(key)
        expect(chosen(inbox)).to_contain_text(title)
        expect(preview.locator(".proposal-title")).to_contain_text(title)
    inbox.keyboard.press("r")
    expect(preview.get_by_role("button", name="Reject")).to_be_focused()
    inbox.keyboard.press("/")
    expect(inbox.get_by_label("Search")).to_be_focused()


def test_a_decision_goes_on_to_the_next_row_of_this_list_and_filter(
    visit: Any, desk: Any, desk_class: Callable[..., Any]
) -> None:
    others = desk_class(desk.host, tenant=f"next-{uuid.uuid4().hex[:8]}")
    for hours, topic in enumerate(("Mills one", "Leases", "Mills two", "Mills three"), start=1):
        others.report_waiting(topic, hours * HOUR)
    page = visit("Victor", tenant=others.tenant).open(text="mills")
    preview = page.get_by_label("Selected row")
    titles(page).nth(1).get_by_role("link").click()
    expect(preview.locator(".proposal-title")).to_have_text("Mills two")
    preview.get_by_role("button", name="Approve").click()
    preview.get_by_role("button", name="Sign and approve version 1").click()
    expect(preview).to_contain_text("Recorded: Victor approved version 1 of “Mills two”.")
    expect(titles(page)).to_have_text(["Mills one", "Mills three"])
    expect(chosen(page)).to_have_text("Mills three")
    expect(preview.locator(".proposal-title")).to_have_text("Mills three")
    expect(titles(page).last.get_by_role("link")).to_be_focused()
    # On a page of its own, too: not the most urgent one, but the one that follows.
    others.report_waiting("Mills four", 9 * HOUR)
    look_again(page)
    expect(titles(page)).to_have_count(3)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Mills three")
    page.get_by_label("Your decision").get_by_role("button", name="Approve").click()
    page.get_by_role("button", name="Sign and approve version 1").click()
    expect(page.get_by_role("navigation", name="Main")).to_contain_text("Inbox 3")
    page.get_by_role("link", name="Next: Mills four").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Mills four")


def test_a_lost_connection_is_told_and_so_is_its_return(visit: Any, busy: Any) -> None:
    victor = visit("Victor", tenant=busy.tenant)
    page = victor.open()
    expect(titles(page)).to_have_count(3)
    victor.context.route("**/api/**", lambda route: route.abort())
    look_again(page)
    expect(page.locator("#connection")).to_contain_text("Not connected since")
    expect(titles(page)).to_have_count(3)
    victor.context.unroute_all()
    look_again(page)
    expect(page.locator("#connection")).to_be_empty()


def test_a_row_tells_that_an_answer_to_it_was_begun(visit: Any, busy: Any) -> None:
    page = visit("Victor", tenant=busy.tenant).open()
    preview = page.get_by_label("Selected row")
    preview.get_by_role("button", name="Reject").click()
    page.locator("#comment").fill("Too long.")
    page.reload()
    expect(page.locator(".row").first).to_contain_text("Draft begun")


def test_saved_lists_show_what_is_mine_and_what_i_decided(visit: Any, desk: Any) -> None:
    topic = ask_for_end(desk, f"Decided {uuid.uuid4().hex[:8]}", "approve")
    for name, label in (("Rita", "Mine"), ("Victor", "I decided")):
        page = visit(name).open()
        page.get_by_role("navigation", name="Lists").get_by_role("link", name=label).click()
        row = page.locator(".row").filter(has_text=topic)
        expect(row).to_contain_text("Victor approved version 1")
    page.get_by_role("link", name="Due today").click()
    expect(page).to_have_title(re.compile(r"Due today \(\d+\)"))


def test_a_list_says_how_it_is_sorted_and_stays_so_when_something_is_typed(
    visit: Any, desk: Any
) -> None:
    topic = ask_for_end(desk, f"Sorted {uuid.uuid4().hex[:8]}", "approve")
    page = visit("Victor").open(list="decided")
    expect(page.get_by_label("Sort")).to_have_value("decided")
    with page.expect_request("**/api/operations?*text=*") as asked:
        page.get_by_label("Search").fill(topic)
    assert "sort=decided" in asked.value.url
    expect(titles(page)).to_have_text([topic])


def test_what_the_server_does_not_take_for_a_filter_is_said(visit: Any, busy: Any) -> None:
    page = visit("Victor", tenant=busy.tenant).open()
    page.locator(".more-filters > summary").click()
    page.get_by_label("Amount from").fill("much")
    expect(page.locator(".inbox-list").get_by_role("alert")).to_contain_text("amount from: ")
    expect(titles(page)).to_have_count(0)
    page.get_by_label("Amount from").fill("")
    expect(titles(page)).to_have_count(3)


def test_a_filter_by_kind_leaves_the_count_of_all_that_waits(visit: Any, busy: Any) -> None:
    roles = "Report.Reviewer Purchase.Approver"
    page = visit("Victor", roles, tenant=busy.tenant).open()
    main = page.get_by_role("navigation", name="Main")
    expect(main).to_contain_text("3")
    page.get_by_label("Kind").select_option(label="Orders")
    expect(titles(page)).to_have_count(0)
    expect(page.get_by_role("heading", level=1)).to_have_text("Waiting for me (0)")
    expect(main).to_contain_text("3")


def test_a_filter_typed_just_before_leaving_does_not_change_the_address_left_for(
    visit: Any, busy: Any
) -> None:
    page = visit("Victor", tenant=busy.tenant).open()
    page.evaluate(
        """() => {
          const search = document.querySelector("#filter-text");
          search.value = "mills";
          search.dispatchEvent(new Event("input"));
          const link = document.querySelector(".row-title a");
          link.focus();
          link.click();
        }"""
    )
    expect(page.get_by_role("heading", level=1)).to_have_text("Write-ahead logging")
    # Timers of the same length end in the order that they were begun in.
    page.evaluate("() => new Promise((done) => setTimeout(done, 250))")
    assert "operation=" in page.url


def test_more_rows_of_a_list_that_was_left_are_not_shown_in_the_next_one(
    visit: Any, busy: Any
) -> None:
    victor = visit("Victor", tenant=busy.tenant)
    held: list[Any] = []

    def answer(route: Any) -> None:
        if "cursor=" in route.request.url:
            held.append(route)
            return
        response = route.fetch()
        document = response.json()
        if "text=" not in route.request.url:
            [*_, row] = document["proposals"]
            others = [{**row, "operation_id": f"research-{n:024x}"} for n in range(50)]
            document.update(proposals=[*document["proposals"], *others], cursor="more")
        route.fulfill(response=response, json=document)

    victor.context.route("**/api/proposals?*", answer)
    page = victor.open()
    page.get_by_role("button", name="Show more").click()
    page.get_by_label("Search").fill("leases")
    expect(titles(page)).to_have_text(["Leases"])
    page.evaluate("() => document.querySelector('.row').setAttribute('data-before', '')")
    rows = held[0].fetch(url=held[0].request.url.partition("&cursor=")[0]).json()["proposals"]
    held[0].fulfill(json={"proposals": rows, "cursor": None, "count": 6})
    expect(page.locator("[data-before]")).to_have_count(0)
    expect(titles(page)).to_have_text(["Leases"])


def test_on_a_telephone_a_row_leads_to_its_own_page(visit: Any, busy: Any) -> None:
    phone = {"width": 360, "height": 740}
    page = visit("Victor", tenant=busy.tenant, viewport=phone).open()
    expect(page.get_by_label("Selected row")).to_be_hidden()
    titles(page).first.get_by_role("link").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Write-ahead logging")
    page.go_back()
    expect(titles(page)).to_have_count(3)


def test_a_list_that_can_not_be_read_says_so_and_can_be_tried_again(visit: Any) -> None:
    victor = visit("Victor")
    victor.context.route("**/api/proposals?*", lambda route: route.abort())
    page = victor.open()
    expect(page.get_by_role("alert")).to_contain_text("The server cannot be reached.")
    victor.context.unroute_all()
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("navigation", name="Lists")).to_be_visible()


def test_rows_are_asked_for_beside_the_person_and_another_persons_are_not_shown(
    visit: Any, busy: Any
) -> None:
    victor = visit("Victor", tenant=busy.tenant)
    expect(victor.open().locator(".row")).to_have_count(len(WAITING))
    page = victor.context.new_page()
    me: list[Any] = []
    page.route("**/api/me", lambda route: me.append(route))
    with page.expect_request("**/api/proposals?limit=50"):
        page.goto(f"{victor.url}/api/review")
    expect(page.locator("main[data-view]")).to_have_count(0)
    victor.sign_in_as("Rita")
    for route in me:
        route.continue_()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Mine")
