"""What notices say, and what nobody can make them say."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from decimal import Decimal
from typing import get_args

import pytest

from countersign.approvals import offering, rules
from countersign.approvals.events import OperationClosed, OperationStarted
from countersign.approvals.folding import begin, evolve
from countersign.approvals.hold import Fault, Passing
from countersign.approvals.holding import fail_revision, hold_work
from countersign.approvals.money import Money
from countersign.approvals.operation import Operation
from countersign.approvals.outcome import Ending, Outcome
from countersign.approvals.person import SYSTEM, Actor, Person
from countersign.approvals.policy import Policy, Tier
from countersign.approvals.standing import REASONS, due_notice
from countersign.kinds.registry import kind_named, known_kinds
from countersign.notices.message import Message, message_about, tame

START = datetime(2026, 3, 1, 9, 0, tzinfo=timezone.utc)
HOME = "https://reports.example"
ANN = Person(id="ann", name="Ann", tenant="home", roles=frozenset({"Reviewer", "Escalation"}))
BEN = Person(id="ben", name="Ben", tenant="home", roles=frozenset({"Reviewer"}))
LARGE = Money(amount=Decimal("60000.00"), currency="EUR")
AND_ONE_MORE = Tier(above=Decimal(50_000), quorum=2, countersigner_role="Escalation")


class Story:
    """An operation as it grows, and the notice that is due."""

    def __init__(
        self,
        title: str = "Tides",
        requester: str = "Rita",
        quorum: int = 1,
        kind: str = "research",
        tiers: tuple[Tier, ...] = (),
    ) -> None:
        self.now = START
        policy = Policy(
            reviewer_role="Reviewer",
            escalation_role="Escalation",
            quorum=quorum,
            tiers=tiers,
        )
        started = OperationStarted(
            at=START,
            actor=Actor(id="rita", name=requester),
            kind=kind,
            title=title,
            request="r",
            policy=policy,
        )
        self.operation: Operation = begin("home", f"{kind}-1", started)

    def then(self, rule: Callable[[Operation, datetime], rules.Ruling]) -> Story:
        answer = rule(self.operation, self.now)
        assert isinstance(answer, tuple)
        for event in answer:
            self.operation = evolve(self.operation, event)
        return self

    def open(self, content: str = "draft", amount: Money | None = None) -> Story:
        version = len(self.operation.proposals) + 1
        offer = offering.Open(
            version=version, digest="0f" * 32, content=content, evidence="e", amount=amount
        )
        return self.then(lambda state, now: offering.open_proposal(state, offer, now))

    def decide(
        self,
        decision: str,
        comment: str = "",
        correction: str | None = None,
        reviewer: Person | None = None,
    ) -> Story:
        command = rules.Decide(
            reviewer=reviewer or ANN,
            version=len(self.operation.proposals),
            digest="0f" * 32,
            decision=decision,  # pyright: ignore[reportArgumentType]
            comment=comment,
            correction=correction,
        )
        return self.then(lambda state, now: rules.decide(state, command, now))

    def wait(self, hours: float) -> Story:
        self.now += timedelta(hours=hours)
        version = len(self.operation.proposals)
        return self.then(lambda state, now: rules.settle(state, version, now))

    def close(self) -> Story:
        return self.then(lambda state, now: rules.close(state, None, "", now, written="published"))

    def says(self, home: str | None = HOME) -> Message:
        notice = due_notice(self.operation, self.now)
        assert notice is not None
        return message_about(self.operation, notice, home)


def test_a_new_proposal_says_what_is_asked_by_whom_until_when_and_where() -> None:
    message = Story().open().says()
    assert message.subject == "Decision needed: “Tides”"
    assert message.text.splitlines() == [
        "Your decision is needed: “Tides”",
        "Requested by Rita",
        "Version 1",
        "Decide before 2026-03-02 09:00 UTC",
        "On approval: The report is published, once, exactly as shown."
        " Without approval, nothing is published.",
        "https://reports.example/api/review?operation=research-1&version=1",
    ]


def test_where_a_bare_address_is_no_link_there_is_a_marked_one() -> None:
    assert (
        Story()
        .open()
        .says()
        .markdown.endswith(
            "\n\n[Open it in Countersign]"
            "(<https://reports.example/api/review?operation=research-1&version=1>)"
        )
    )


def test_without_a_known_address_it_says_where_to_look() -> None:
    message = Story().open().says(home=None)
    assert message.text.endswith("\nOpen Countersign to see it.")
    assert "](" not in message.markdown


def test_a_reminder_says_how_much_of_the_time_is_over() -> None:
    assert Story().open().wait(12).says().subject == (
        "Reminder, 50 % of the time has passed: “Tides”"
    )


def test_a_quorum_is_mentioned() -> None:
    assert "It needs approvals from 2 people." in Story(quorum=2).open().says().lines


def order() -> Story:
    return Story(title="4 desks, from Nordwind", kind="purchase", tiers=(AND_ONE_MORE,))


def test_an_order_says_what_of_whom_for_how_much_and_whose_approval_it_takes() -> None:
    message = order().open(amount=LARGE).says()
    assert message.subject == "Decision needed: “4 desks, from Nordwind”"
    assert "Total: 60,000.00 EUR" in message.lines
    assert "Without approval, nothing is ordered." in message.text
    assert (
        "It needs approvals from 2 people and from one more with the role Escalation."
        in message.lines
    )


def test_a_countersigner_is_told_who_approved_before() -> None:
    story = order().open(amount=LARGE)
    cora = replace(BEN, id="cora", name="Cora")
    message = story.decide("approve", reviewer=BEN).decide("approve", reviewer=cora).says()
    assert message.subject == "Countersignature needed: “4 desks, from Nordwind”"
    assert [line for line in message.lines if line.startswith("Approved")] == [
        "Approved by Ben on 2026-03-01 09:00 UTC",
        "Approved by Cora on 2026-03-01 09:00 UTC",
    ]


def test_two_people_whose_names_look_the_same_are_told_apart() -> None:
    twin = replace(BEN, id="auth0|0123456", name="\u0412en")
    story = order().open(amount=LARGE).decide("approve", reviewer=replace(BEN, id="ben-00001"))
    message = story.decide("approve", reviewer=twin).says()
    assert [line for line in message.lines if line.startswith("Approved")] == [
        "Approved by Ben (\u2026-00001) on 2026-03-01 09:00 UTC",
        "Approved by \u0412en (\u2026123456) on 2026-03-01 09:00 UTC",
    ]


def test_a_requester_named_like_a_reviewer_is_told_apart_whatever_the_name_s_length() -> None:
    long = "Ada " * 200
    message = Story(requester=long).open().decide("reject", "no", reviewer=replace(BEN, name=long))
    lines = message.close().says().lines
    assert [line for line in lines if line.endswith("(\u2026rita)")]
    assert [line for line in lines if "(\u2026ben) on" in line]


def test_the_end_of_an_id_makes_no_markup() -> None:
    story = Story(requester="Ben").open()
    lines = story.decide("reject", "no", reviewer=replace(BEN, id="a|<b>*")).close().says().lines
    assert not [line for line in lines if set("<>|*") & set(line)]


def test_a_later_version_says_why_there_is_one() -> None:
    revised = Story().open().decide("revise", "shorter").open("short").says()
    assert revised.subject == "Decision needed: “Tides” (version 2)"
    assert "New version: Ann requested changes to version 1." in revised.lines
    corrected = Story().open().decide("revise", correction="mine").open("mine").says()
    assert "New version: Ann corrected version 1." in corrected.lines
    escalated = Story().open().wait(24).open().says()
    why = "Nobody decided on version 1 in time, so it was escalated to the role Escalation."
    assert why in escalated.lines


def test_a_text_that_could_not_be_changed_says_so() -> None:
    story = Story().open("draft").decide("revise", "shorter")
    story.then(lambda state, now: fail_revision(state, 1, "The model declined.", now))
    message = story.open("draft").says()
    assert message.subject == "Decision needed: “Tides” (version 2)"
    assert "The changes could not be made. The model declined." in message.lines
    assert "shorter" not in message.text


def held(passes: Passing = "later", title: str = "Tides") -> Message:
    fault = Fault(cause="model_access_refused", reason="No <b>access</b>.", passes=passes)
    story = Story(title=title)
    return story.then(lambda state, now: hold_work(state, "plan", fault, now, now)).says()


def test_an_operator_is_told_what_to_put_right_and_that_it_goes_on() -> None:
    message = held()
    assert message.subject == "Needs an operator: “Tides”"
    assert message.lines[2:6] == (
        "Cause: model access refused",
        tame("No <b>access</b>."),
        "Since 2026-03-01 09:00 UTC, 1 attempt has failed",
        "It is retried automatically from 2026-03-01 09:05 UTC on",
    )
    assert message.link == "https://reports.example/api/review?operation=research-1"


def test_an_operator_is_told_where_only_a_request_has_it_tried_again() -> None:
    assert "It is retried only on request" in held("never").lines


def test_the_outcome_says_who_decided_and_not_what_they_wrote() -> None:
    message = Story().open().decide("reject", "my private opinion").close().says()
    assert message.subject == "Rejected: “Tides”"
    assert "Rejected by Ann on 2026-03-01 09:00 UTC" in message.lines
    assert "opinion" not in message.text
    assert message.link == "https://reports.example/api/review?operation=research-1"


def test_a_withdrawal_tells_reviewers_that_nothing_is_left_to_do() -> None:
    story = Story().open()
    rita = Person(id="rita", name="Rita", tenant="home", roles=frozenset())
    story.then(lambda state, now: rules.withdraw(state, rita, "private", now)).close()
    message = story.says()
    assert message.subject == "Withdrawn: “Tides”"
    assert "Withdrawn by its requester on 2026-03-01 09:00 UTC" in message.lines
    assert "private" not in message.text


def ended_as(outcome: Outcome, reason: str = "", kind: str = "research") -> Message:
    story = Story(kind=kind).open()
    closed = OperationClosed(at=story.now, actor=SYSTEM, outcome=outcome, reason=reason)
    story.operation = replace(story.operation, closed=closed)
    return story.says()


@pytest.mark.parametrize(
    ("outcome", "subject", "left"),
    [
        ("ordered", "Ordered", "You do not need to do anything."),
        (
            "write_unknown",
            "Possibly ordered",
            "Check the purchasing system before anyone requests it again: its contents may differ"
            " from the approved version.",
        ),
        (
            "failed",
            "Failed",
            "Nothing was ordered. If you still need the order, request it again.",
        ),
        (
            "needs_owner",
            "Too many versions",
            "Nothing was ordered. Hand it over to the person who owns the matter.",
        ),
    ],
)
def test_the_end_of_an_order_is_not_told_as_that_of_a_report(
    outcome: Outcome, subject: str, left: str
) -> None:
    message = ended_as(outcome, kind="purchase")
    assert message.subject == f"{subject}: “Tides”"
    assert message.lines[-1] == left


@pytest.mark.parametrize("kind", [each.name for each in known_kinds()])
@pytest.mark.parametrize("outcome", ["published", *get_args(Ending)])
def test_every_end_says_whether_something_is_left_to_do(outcome: Outcome, kind: str) -> None:
    left = {
        "needs_owner": "Hand it over to the person who owns the matter.",
        "write_unknown": "before anyone requests it again",
        **dict.fromkeys(
            ("expired", "stopped", "needs_revision", "over_budget", "failed"), "request it again"
        ),
    }
    last = ended_as(outcome, kind=kind).lines[-1]
    assert left.get(outcome, "You do not need to do anything.") in last
    assert (last == "You do not need to do anything.") == (outcome not in left)


@pytest.mark.parametrize("outcome", ["failed", "over_budget", "needs_revision", "write_unknown"])
def test_an_end_that_nobody_decided_says_why_and_as_mere_text(outcome: Outcome) -> None:
    lines = ended_as(outcome, "It went <b>wrong</b>\nhere.").lines
    assert lines[-2] == tame("It went <b>wrong</b> here.")
    assert "<" not in lines[-2]


def test_a_reason_of_the_rules_is_told_whole() -> None:
    for outcome, reason in REASONS.items():
        assert reason in ended_as(outcome, reason).lines


def test_what_an_approval_leads_to_is_said_as_the_page_says_it() -> None:
    assert any(kind_named("research").consequence in line for line in Story().open().says().lines)


def test_an_end_without_a_decision_names_nobody() -> None:
    story = Story().open().wait(24).open().wait(24).close()
    assert story.says().lines[:3] == (
        "Expired: “Tides”",
        "Requested by Rita",
        "Version 2",
    )


@pytest.mark.parametrize(
    "hostile",
    [
        "[Approve](https://evil.example)",  # a link in Markdown
        "<https://evil.example|Approve>",  # a link in Slack
        "<!channel> @everyone <@U123>",  # mentions
        "<b>bold</b><script>alert(1)</script>",
        "*b* _i_ ~s~ `c` ||spoiler||",
        "\\[escaped\\]",
        "\u202egnp.exe",  # turns the reading direction
        "a\r\nBcc: everybody@example.com\r\n\r\nbody",  # a second header in a mail
        "\x00\x1b[31mred",
        "# heading\u2028- list",
    ],
)
def test_no_title_or_name_becomes_anything_but_text(hostile: str) -> None:
    message = Story(title=hostile, requester=hostile).open().says(home=None)
    whole = "\n".join([message.subject, message.text])
    assert not set(whole) & set("<>[]*_`~@|\\\u202e\x00\x1b\r\u2028")
    assert "://" not in whole
    assert len(message.subject.splitlines()) == 1
    assert len(message.text.splitlines()) == len(Story().open().says(home=None).text.splitlines())


def test_ordinary_titles_of_all_languages_are_left_as_they_are() -> None:
    for title in (
        "Wie sicher ist C#?",
        "日本語の題",
        "Why 3 & 4 (not 5) are “odd”: a report",
    ):
        assert tame(title) == title


def test_a_long_title_is_cut() -> None:
    assert tame("word " * 100).endswith("…")
    assert len(tame("word " * 100)) <= 120


def test_a_file_name_keeps_its_look() -> None:
    assert tame("a_b.md") == "a\uff3fb.md"
