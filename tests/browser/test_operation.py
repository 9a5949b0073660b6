"""One operation from the request to its end: progress, history, receipt, the published report."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import expect


def in_work(operation: dict[str, Any]) -> None:
    """Show it as it is while the team works, which the embedded model does in no time."""
    operation.update(
        state="running",
        stage="researching",
        progress={"done": 1, "total": 3},
        proposal=None,
        outcome=None,
    )


def test_progress_is_shown_while_the_team_works_until_the_proposal_is_there(
    visit: Any, offered: str
) -> None:
    rita = visit("Rita")
    rita.receive(f"**/operations/{offered}", in_work)
    page = rita.open(operation=offered)
    expect(page.locator(".progress")).to_contain_text("The team is researching the subtopics")
    expect(page.locator(".progress")).to_contain_text("1 of 3 subtopics")
    assert page.get_by_role("progressbar").evaluate("bar => [bar.value, bar.max]") == [1, 3]
    rita.context.unroute_all()
    expect(page.locator(".notice")).to_contain_text("Version 1 waits for a report reviewer")
    expect(page.get_by_role("link", name="Open version 1")).to_be_visible()


def test_an_operator_stops_what_waits_where_it_is_listed(visit: Any, offered: str) -> None:
    page = visit("Olga", "Operator").open(text=offered)
    shown = page.get_by_label("Selected row")
    shown.get_by_text("Stop this operation").click()
    shown.get_by_label("Reason").fill("The budget is frozen.")
    shown.get_by_role("button", name="Stop the operation").click()
    last = shown.locator(".last-act")
    expect(last).to_contain_text("Olga stopped the operation: “The budget is frozen.”")


def test_who_may_not_read_what_is_proposed_is_offered_no_version(visit: Any, offered: str) -> None:
    page = visit("Olga", "Operator").open(operation=offered)
    expect(page.locator(".notice")).to_contain_text("Version 1 waits for a report reviewer")
    expect(page.locator(".all-versions")).to_contain_text("Version 1")
    expect(page.get_by_role("link", name=re.compile("ersion 1"))).to_have_count(0)


def test_the_whole_way_to_publication_is_told_with_its_receipt(
    visit: Any, desk: Any, offered: str
) -> None:
    page = visit("Rita").open(operation=offered)
    desk.decide(offered, desk.until_version(offered), comment="Well put.")
    desk.until_state(offered, "published")
    page.evaluate("() => dispatchEvent(new Event('focus'))")
    expect(page.locator(".status")).to_contain_text("Published")
    timeline = page.locator(".timeline").first
    for said in (
        f"Rita requested “{desk.TOPIC}”",
        "proposed version 1",
        "Victor approved version 1 as report reviewer: “Well put.”",
        "completed the approval of version 1",
        "wrote version 1; confirmed by",
        "closed the operation: published",
    ):
        expect(timeline).to_contain_text(said)
    approval = timeline.locator("> [data-type=DecisionRecorded]")
    expect(approval).to_contain_text("“Well put.”, and completed the approval of version 1")
    expect(timeline.locator("> [data-type=ProposalApproved]")).to_have_count(0)
    expect(approval.locator("time")).to_have_text(re.compile(r"today \d\d:\d\d:\d\d"))
    expect(approval.get_by_role("link", name="Version 1")).to_have_count(1)
    expect(page.locator(".chain")).to_contain_text("The history is intact")
    decision = page.get_by_role("region", name="The decision")
    expect(decision).to_contain_text("Victor as report reviewer")
    receipt = page.get_by_role("region", name="Receipt of the destination")
    expect(receipt).to_contain_text(desk.operation(offered)["receipt"]["location"])
    expect(page.locator(".status")).to_contain_text("of its limit")
    published = page.get_by_role("region", name="The published report")
    expect(published.locator(".sheet")).to_contain_text("nothing generated")
    with page.expect_download() as saved:
        published.get_by_role("button", name="Save as Markdown").click()
    text = desk.host.call("GET", f"operations/{offered}/report", desk.requester).text
    assert saved.value.path().read_text("utf-8") == text
    assert saved.value.suggested_filename == f"{offered}.md"


def test_a_published_report_that_could_not_be_had_is_asked_for_again(
    visit: Any, desk: Any, offered: str
) -> None:
    desk.decide(offered, desk.until_version(offered), comment="Well put.")
    desk.until_state(offered, "published")
    rita = visit("Rita")
    rita.context.route("**/report", lambda route: route.abort())
    published = rita.open(operation=offered).get_by_role("region", name="The published report")
    expect(published.get_by_role("alert")).to_contain_text("The server cannot be reached.")
    rita.context.unroute_all()
    published.get_by_role("button", name="Try again").click()
    expect(published.get_by_role("button", name="Save as Markdown")).to_be_visible()
    expect(published.get_by_role("alert")).to_have_count(0)


def test_what_the_team_did_step_by_step_folds_out(visit: Any, offered: str) -> None:
    page = visit("Rita").open(operation=offered)
    run = page.locator(".run").filter(has_text="researched subtopic 1")
    expect(run.locator("summary").first).to_contain_text("The team worked for")
    step = run.get_by_text("researched subtopic 1; the result is stored")
    expect(step).to_be_hidden()
    run.locator("summary").first.click()
    expect(step).to_be_visible()


def test_its_requester_takes_a_request_back_and_nobody_else_can(
    visit: Any, desk: Any, offered: str
) -> None:
    withdraw = visit("Victor").open(operation=offered).get_by_text("Withdraw this request")
    expect(withdraw).to_have_count(0)
    page = visit("Rita").open(operation=offered)
    page.get_by_text("Withdraw this request").click()
    page.get_by_label("Reason (optional)").fill("The board has decided otherwise.")
    page.get_by_role("button", name="Withdraw the request").click()
    expect(page.locator(".status")).to_contain_text("Withdrawn")
    expect(page.locator(".timeline").first).to_contain_text(
        "Rita withdrew the request: “The board has decided otherwise.”"
    )
    expect(page.get_by_text("Withdraw this request")).to_have_count(0)
    assert desk.operation(offered)["outcome"]["as"] == "withdrawn"


def test_sources_that_do_not_carry_a_report_end_it_with_what_to_do_next(
    visit: Any, desk: Any
) -> None:
    operation = desk.ask("Quokkas", documents=[{"title": "Mills", "text": "Mills turn."}])
    desk.until_state(operation, "needs_revision")
    page = visit("Rita").open(operation=operation)
    expect(page.locator(".status")).to_contain_text(
        "Name it in a few words that the documents use, such as one of their titles, or add"
        " documents."
    )
    page.get_by_role("button", name="Go on with documents").click()
    expect(page.get_by_label("Topic", exact=True)).to_have_value("Quokkas")
    expect(page.get_by_role("group", name="Documents to research")).to_be_visible()


def test_an_ended_operation_tells_by_whom_when_and_why_and_leads_to_its_versions(
    visit: Any, desk: Any, offered: str
) -> None:
    desk.decide(offered, desk.until_version(offered), "reject", comment="The sources are too old.")
    desk.until_state(offered, "rejected")
    page = visit("Rita").open(operation=offered)
    end = page.locator(".last-act")
    expect(end).to_contain_text("Victor rejected version 1 as report reviewer")
    expect(end).to_contain_text("The sources are too old.")
    versions = page.get_by_role("region", name="Versions")
    versions.get_by_role("link", name="Version 1").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(desk.TOPIC)
    page.go_back()
    page.get_by_role("button", name="Ask again").click()
    expect(page.get_by_label("Topic", exact=True)).to_have_value(desk.TOPIC)
