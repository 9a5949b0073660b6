"""Orders on the page: asked for, corrected, approved by enough people, and placed."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, expect

FIRST = ("Drill bits", "3", "0.1")
SECOND = ("Drill", "1", "449.99")


@pytest.fixture
def form(buyer: Any) -> Page:
    """The form of somebody who may ask for orders alone, who is led to it by the usual link."""
    page = buyer("Rita").open()
    page.get_by_role("link", name="New request").click()
    expect(page.get_by_role("button", name="Request the order")).to_be_visible()
    return page


def line(page: Page, number: int) -> Locator:
    return page.get_by_role("group", name=f"Line {number}")


def fill_line(page: Page, number: int, description: str, quantity: str, price: str) -> None:
    fields = line(page, number)
    fields.get_by_label("Article number").fill(f"A-{number}")
    fields.get_by_label("Description").fill(description)
    fields.get_by_label("Quantity").fill(quantity)
    fields.get_by_label("Unit price").fill(price)


def fill_in(page: Page) -> None:
    """Ask for two things that cost 450.29 together."""
    page.get_by_label("Vendor").fill("Acme")
    page.get_by_label("Deliver to").fill("Dock 4")
    page.get_by_label("Reason").fill("The old ones are worn out.")
    fill_line(page, 1, *FIRST)
    page.get_by_role("button", name="Add a line").click()
    expect(line(page, 2).get_by_label("Article number")).to_be_focused()
    fill_line(page, 2, *SECOND)


def ask(page: Page) -> None:
    page.get_by_role("button", name="Request the order").click()


def correct(page: Page, sku: str) -> Locator:
    """The fields of a line in the correction that is open."""
    return page.get_by_role("group", name=sku)


def row(place: Page | Locator, name: str) -> Locator:
    """A line of a table, by what it begins with."""
    return place.get_by_role("row", name=re.compile(f"^{re.escape(name)}"))


def test_an_order_is_asked_for_and_shown_with_its_totals(form: Page, buyer: Any) -> None:
    fill_in(form)
    expect(form.locator(".lines-foot")).to_contain_text("450.29 EUR")
    ask(form)
    expect(form.locator(".status")).to_contain_text("Version 1 waits for a purchase approver")
    review = buyer("Victor").review(form.url.split("operation=")[1])
    expect(row(review.text, "A-1 Drill bits")).to_contain_text("30.100.30")
    expect(row(review.text, "A-2 Drill")).to_contain_text("449.99")
    expect(row(review.text, "Total 450.29 EUR")).to_be_visible()
    for fact in ("Acme", "Dock 4", "The old ones are worn out."):
        expect(review.text).to_contain_text(fact)
    # Nobody can be asked about it, and there is nothing to compare with.
    expect(review.page.get_by_role("tab")).to_have_count(1)


def test_a_correction_that_asks_for_more_takes_two_people(
    buyer: Any, buyers: Any, purchasing: Any
) -> None:
    operation, _ = buyers.waiting("449.99", "0.10")
    victor = buyer("Victor")
    review = victor.review(operation)
    review.begin("Correct", "Three of them are needed.")
    correct(review.page, "S-1").get_by_label("Quantity").fill("3")
    ahead = review.page.get_by_role("status").filter(has_text="Compared with version 1")
    expect(ahead).to_contain_text("more of S-1; a higher total")
    expect(ahead).to_contain_text("Victor can't be the only one to approve the corrected version.")
    review.send_with("Submit as version 2").click()
    buyers.until_version(operation, 2)

    again = victor.review(operation, 2)
    changed = row(again.page, "S-1")
    expect(changed.locator("del").first).to_have_text("2")
    expect(changed.locator("ins").first).to_have_text("3")
    expect(changed).to_contain_text("a larger quantity: needs another approver")
    expect(row(again.page, "S-2")).to_contain_text("unchanged")
    again.approve()
    expect(again.receipt).to_contain_text("one more by a purchase approver is needed")

    other = buyer("Wanda").review(operation, 2)
    approvals = other.page.get_by_role("region", name="Approvals")
    expect(approvals).to_contain_text("1 of 2 approvals: Victor, as purchase approver; one more by")
    expect(approvals).to_contain_text("Corrected by Victor.")
    other.begin("Approve")
    signature = other.page.locator(".signature")
    expect(signature).to_contain_text("version 2 of “Order from Acme for 1,350.17 EUR”")
    expect(signature).to_contain_text("The order is placed, once, exactly as shown.")
    other.send_with("Sign and approve").click()
    expect(other.receipt).to_contain_text("It is being ordered now.")
    buyers.until_state(operation, "ordered")
    assert len(purchasing.orders(operation)) == 1


def test_what_is_signed_says_that_others_still_have_to_approve(buyer: Any, buyers: Any) -> None:
    operation, _ = buyers.waiting("1200.00")
    review = buyer("Victor").review(operation, 1)
    review.begin("Approve")
    expect(review.page.locator(".signature")).to_contain_text("Nothing is ordered yet: one more by")


def test_the_decision_and_the_receipt_are_two_records(
    buyer: Any, buyers: Any, purchasing: Any
) -> None:
    operation, first = buyers.waiting("1200.00")
    page = buyer("Rita").open(operation=operation)
    for token in (buyers.reviewer, buyers.second):
        buyers.decide(operation, first, token=token)
    receipt = buyers.until_state(operation, "ordered")["receipt"]
    page.evaluate("() => dispatchEvent(new Event('focus'))")
    expect(page.locator(".status")).to_contain_text("Ordered")
    decision = page.get_by_role("region", name="The decision")
    for said in ("Version 1", first["digest"], "Victor as purchase approver", "Wanda as purchase"):
        expect(decision).to_contain_text(said)
    shown = page.get_by_role("region", name="Receipt of the destination")
    [placed] = purchasing.orders(operation)
    for fact in (placed["order_number"], "2,400.00 EUR", receipt["sha256"]):
        expect(shown).to_contain_text(fact)
    order = page.get_by_role("region", name="The order that was placed")
    expect(row(order, "Total 2,400.00 EUR")).to_be_visible()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Download the proof").click()
    assert saved.value.suggested_filename == f"{operation}.proof.json"
    path = f"operations/{operation}/proof"
    proof = json.loads(saved.value.path().read_text("utf-8"))
    assert proof.keys() == buyers.host.call("GET", path, buyers.requester).json().keys()


def test_who_made_an_order_ask_for_more_is_told_that_it_takes_somebody_else(
    buyer: Any, buyers: Any
) -> None:
    operation, first = buyers.waiting()
    buyers.decide(operation, first, "revise", correction={"destination": "Dock 9"})
    buyers.until_version(operation, 2)
    review = buyer("Victor").review(operation, 2)
    told = "You changed this or asked for the changes, so someone else has to approve it too"
    expect(review.page.get_by_role("region", name="Approvals")).to_contain_text(told)
    review.begin("Approve")
    expect(review.page.locator("#ballot")).to_contain_text(told)
    review.begin("Correct")
    review.page.get_by_label("Quantity").fill("1")
    expect(review.page.get_by_role("status")).to_contain_text(
        [
            "Compared with version 2, no change needs another approver."
            "Victor can't be the only one to approve"
        ]
    )


def test_a_word_that_mixes_scripts_is_marked(buyer: Any, buyers: Any) -> None:
    operation, _ = buyers.waiting("12.50", vendor="\u0410cme Ltd")
    page = buyer("Victor").review(operation).page
    marked = page.locator(".notice", has_text="Some words mix letters of different scripts")
    expect(marked).to_contain_text("\u0410cme (Cyrillic and Latin)")


def test_who_makes_an_order_smaller_may_approve_it(buyer: Any, buyers: Any) -> None:
    operation, _ = buyers.waiting("12.50", "0.99")
    victor = buyer("Victor")
    review = victor.review(operation)
    review.begin("Correct")
    review.page.get_by_role("button", name="Strike S-2").click()
    expect(review.page.get_by_role("status")).to_contain_text(
        ["Compared with version 1, no change needs another approver.You can approve version 2 too."]
    )
    review.send_with("Submit as version").click()
    expect(review.receipt).to_be_visible()
    buyers.until_version(operation, 2)
    again = victor.review(operation, 2)
    expect(row(again.page, "S-2")).to_contain_text("struck")
    again.approve()
    buyers.until_state(operation, "ordered")


def test_a_correction_says_at_its_fields_what_can_not_be_taken(buyer: Any, buyers: Any) -> None:
    operation, _ = buyers.waiting("12.50", "0.99")
    review = buyer("Victor").review(operation)
    page = review.page
    review.begin("Correct")
    review.send_with("Submit as version").click()
    expect(review.fault).to_contain_text("You have not changed the order yet.")
    first, second = (correct(page, sku) for sku in ("S-1", "S-2"))
    first.get_by_label("Quantity").fill("2.5")
    second.get_by_label("Unit price").fill("1.0000005")
    page.get_by_label("Vendor").fill(" ")
    review.send_with("Submit as version").click()
    expect(page.get_by_label("Vendor")).to_be_focused()
    expect(first).to_contain_text("Enter a whole number from 1 to 1,000,000.")
    expect(second).to_contain_text("At most 6 decimals.")
    for sku in ("S-1", "S-2"):
        page.get_by_role("button", name=f"Strike {sku}").click()
    page.get_by_label("Vendor").fill("Acme")
    review.send_with("Submit as version").click()
    expect(page.locator("#own-lines-fault")).to_contain_text("Keep at least one line")


def test_what_the_api_does_not_take_is_told_at_its_field(buyer: Any, buyers: Any) -> None:
    operation, _ = buyers.waiting("12.50", "0.99")
    review = buyer("Victor").review(operation)
    fields = {"correction.lines.0.unit_price": "Value error, too dear", "comment": "too short"}
    document = {"code": "malformed", "detail": "No.", "status": 422, "fields": fields}
    answer = {"status": 422, "content_type": "application/problem+json"}
    review.page.route(
        "**/decision", lambda route: route.fulfill(body=json.dumps(document), **answer)
    )
    review.begin("Correct")
    # What is sent is what stays, so the first line that is sent is the second one here.
    review.page.get_by_role("button", name="Strike S-1").click()
    review.send_with("Submit as version").click()
    price = correct(review.page, "S-2").get_by_label("Unit price")
    expect(price).to_be_focused()
    expect(price).to_have_accessible_description("too dear")
    expect(review.alert).to_contain_text("comment: too short")
    expect(review.alert).not_to_contain_text("too dear")


def test_a_half_made_correction_survives_a_reload(buyer: Any, buyers: Any) -> None:
    operation, _ = buyers.waiting("12.50", "0.99")
    review = buyer("Victor").review(operation)
    page = review.page
    review.begin("Correct")
    page.get_by_label("Deliver to").fill("Dock 9")
    correct(page, "S-1").get_by_label("Unit price").fill("11,")
    page.get_by_role("button", name="Strike S-2").click()
    page.reload()
    expect(page.get_by_label("Deliver to")).to_have_value("Dock 9")
    expect(correct(page, "S-1").get_by_label("Unit price")).to_have_value("11,")
    expect(page.get_by_role("button", name="Put back S-2")).to_be_visible()
    assert "revise" not in json.dumps(buyers.history(operation))


def test_a_large_order_asks_for_each_role_in_turn(buyer: Any, buyers: Any) -> None:
    operation, first = buyers.waiting("30000.00")
    review = buyer("Victor").review(operation)
    approvals = review.page.get_by_role("region", name="Approvals")
    expect(approvals).to_contain_text(
        "0 of 3 approvals, the first by a purchase approver, the last by a purchase escalation"
    )
    review.approve()
    buyers.decide(operation, first, token=buyers.second)
    expect(buyer("Rita").open(operation=operation).locator(".status")).to_contain_text(
        "Version 1 waits for a purchase escalation"
    )
    again = buyer("Victor").review(operation)
    expect(again.decide).to_contain_text("one more by a purchase escalation is needed")
    edith = buyer("Edith")
    row = edith.open().locator(".row").filter(has=edith_row(edith, operation))
    expect(row).to_contain_text("60,000.00 EUR")
    edith.review(operation).approve()
    buyers.until_state(operation, "ordered")


def edith_row(edith: Any, operation: str) -> Locator:
    return edith.context.pages[-1].locator(f"a[href*={operation}]")


def test_too_late_says_where_the_order_went(buyer: Any, buyers: Any) -> None:
    operation, _ = buyers.waiting(approval={"window_seconds": 600})
    review = buyer("Victor").review(operation)
    review.begin("Approve")
    buyers.host.advance(601)
    review.send_with("Sign and approve").click()
    expect(review.alert).to_contain_text("The deadline passed")
    expect(review.alert).to_contain_text("escalated to the role purchase escalation")
    expect(review.alert).to_contain_text("a new version of the same order")
    buyers.host.advance(601)
    page = buyer("Rita").open(operation=operation)
    expect(page.locator(".status")).to_contain_text("Nothing was ordered.")


def test_who_comes_second_reads_who_decided(buyer: Any, buyers: Any) -> None:
    operation, first = buyers.waiting()
    review = buyer("Victor").review(operation)
    review.begin("Approve")
    buyers.decide(operation, first, "reject", token=buyers.second, comment="We have enough.")
    review.send_with("Sign and approve").click()
    expect(review.alert).to_contain_text("Wanda rejected this")
    expect(review.decide).to_contain_text("“We have enough.” Nothing will be ordered.")


def test_an_order_that_nobody_confirmed_says_what_a_person_has_to_do(
    buyer: Any, buyers: Any
) -> None:
    operation, first = buyers.waiting()
    buyers.decide(operation, first)
    buyers.until_state(operation, "ordered")
    outcome = {"as": "write_unknown", "reason": "It answered with status 500."}
    rita = buyer("Rita")
    rita.receive(
        f"**/operations/{operation}",
        lambda shown: shown.update(state="write_unknown", outcome=outcome, receipt=None),
    )
    page = rita.open(operation=operation)
    status = page.locator(".status")
    expect(status).to_contain_text("it may have been placed")
    expect(status).to_contain_text("It answered with status 500.")
    expect(status).to_contain_text(f"Search the purchasing system for the reference {operation}")
    expect(page.get_by_role("region", name="The decision")).to_contain_text("Victor")
    receipt = page.get_by_role("region", name="Receipt of the destination")
    expect(receipt).to_contain_text("The destination sent none.")


def test_a_request_says_at_its_fields_what_is_missing(form: Page, watch: Any) -> None:
    ask(form)
    expect(form.get_by_label("Vendor")).to_be_focused()
    expect(line(form, 1)).to_contain_text("Describe the item.")
    assert not [request for request in watch.requests if request.method == "POST"]
    fill_in(form)
    expect(form.get_by_label("Currency").locator("option")).to_have_text(
        ["EUR", "USD", "GBP", "CHF"]
    )
    line(form, 2).get_by_label("Article number").fill("A-1")
    ask(form)
    alert = form.get_by_role("alert")
    expect(alert).to_contain_text(["A-1 appears in more than one line."])
    line(form, 2).get_by_label("Article number").fill("A-2")
    expect(alert.filter(has_text="more than one line")).to_have_count(0)
    form.get_by_role("button", name="Remove line 1").click()
    expect(line(form, 1).get_by_label("Description")).to_have_value("Drill")
    form.reload()
    expect(line(form, 1).get_by_label("Unit price")).to_have_value("449.99")


def test_an_amount_is_taken_as_people_write_it_and_limits_are_told(form: Page) -> None:
    fill_in(form)
    price = line(form, 1).get_by_label("Unit price")
    for typed, taken in {"1.249,50": "1249.50", "1,249.50": "1249.50", "12,5": "12.5"}.items():
        price.fill(typed)
        price.blur()
        expect(price).to_have_value(taken)
    expect(form.locator("#order-limits")).to_contain_text("Above 1,000 EUR: 2 approvers")
    price.fill("1,249")
    ask(form)
    expect(price).to_have_accessible_description(re.compile("with a point before the decimals"))
    price.fill("1249")
    expect(price).to_have_accessible_description("")


def test_a_lost_answer_to_a_request_makes_no_second_order(form: Page) -> None:
    answers: list[str] = []

    def lose_the_first_answer(route: Route) -> None:
        answers.append(route.fetch().json()["operation_id"])
        if len(answers) == 1:
            route.abort()
        else:
            route.fallback()

    form.route("**/api/purchases", lose_the_first_answer)
    fill_in(form)
    ask(form)
    form.get_by_role("button", name="Try again").click()
    expect(form.get_by_role("heading", level=1)).to_contain_text("Drill bits and 1 more")
    assert len(answers) == 2
    assert len(set(answers)) == 1


def test_lists_show_what_one_has_to_do_with_and_the_rest_on_request(
    visit: Any, buyer: Any, buyers: Any
) -> None:
    buyers.waiting(vendor="Tools & Co.")
    research = {"topic": "Tidal mills"}
    rhea = buyers.person("Rhea", "Research.Requester")
    assert buyers.host.call("POST", "research", rhea, json=research).status_code == 202
    page = buyer("Victor").open(list="all")
    lists = page.get_by_role("navigation", name="Lists")
    expect(lists).to_contain_text("Ordered")
    expect(lists).not_to_contain_text("Published")
    orders, reports = (page.locator(".row-title", has_text=text) for text in ("Tools", "Tidal"))
    expect(orders).to_have_count(1)
    expect(reports).to_have_count(0)
    page.get_by_label("Kind").select_option(label="Reports")
    expect(reports).to_have_count(1)
    expect(orders).to_have_count(0)
    both = visit("Both", "Research.Requester Purchase.Requester", host=buyers.host).open(new="")
    both.get_by_role("link", name="An order").click()
    expect(both.get_by_role("button", name="Request the order")).to_be_visible()
    both.get_by_role("link", name="A report").click()
    expect(both.get_by_role("button", name="Request the report")).to_be_visible()
