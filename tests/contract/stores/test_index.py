from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from countersign.approvals.evidence_count import EvidenceCount
from countersign.stores.index import Announcement, BadCursor, Index
from countersign.stores.search import Search, WaitsFor
from countersign.stores.summary import Decider, Summary
from testbed.rows import ids, put

Build = Callable[..., Summary]
Start = Callable[..., Any]
Race = Callable[..., list[list[str]]]
MINUTE = timedelta(minutes=1)

HOSTILE_NAMES = [
    "",
    " ",
    "'",
    "a'b''c",
    "a/b",
    "a\\b",
    "a#b?c",
    "a%2Fb",
    "\x00\n",
    "~:;=",
    "Ä😀",
    "x" * 400,
]


def waiting_for(person: str, now: datetime, *roles: str) -> Search:
    return Search(waits_for=WaitsFor(person=person, roles=roles, now=now), order="deadline")


async def inbox(index: Index, person: str, now: datetime, *roles: str) -> list[str]:
    page = await index.search("home", waiting_for(person, now, *roles), limit=10)
    return [row.operation_id for row in page.rows]


async def announced(index: Index, moment: datetime) -> list[Announcement]:
    return [each async for each in index.announced_before(moment)]


async def test_a_row_is_read_back_as_it_was_put(index: Index, summary: Build) -> None:
    count = EvidenceCount(claims=7, to_check=2)
    waiting = summary("op-1", approvers=("bob", "eve"), title="„Ötter“", evidence_count=count)
    running = summary("op-2", version=None, required_role=None, expires_at=None, state="running")
    await put(index, waiting, running)
    assert await index.get("home", "op-1") == waiting
    assert await index.get("home", "op-2") == running


async def test_a_row_is_seen_in_its_own_tenant_only(
    index: Index, summary: Build, now: datetime
) -> None:
    await put(index, summary("op-1"))
    assert await index.get("other", "op-1") is None
    assert await ids(index, "other") == []
    page = await index.search("other", waiting_for("bob", now, "Report.Reviewer"), limit=10)
    assert list(page.rows) == []


async def test_two_tenants_may_have_an_operation_of_the_same_id(
    index: Index, summary: Build
) -> None:
    ours, theirs = summary("op-1"), summary("op-1", tenant="other", title="theirs")
    await put(index, ours, theirs)
    assert await index.get("home", "op-1") == ours
    assert await index.get("other", "op-1") == theirs


@pytest.mark.parametrize("name", HOSTILE_NAMES)
async def test_any_name_is_good_for_all_that_has_one(
    index: Index, summary: Build, now: datetime, name: str
) -> None:
    row = summary(name, tenant=name, requester_id=name, required_role=name, state="running")
    waiting = replace(row, state="awaiting_approval", sequence=6)
    await put(index, summary("op-1", tenant=name), row, waiting)
    assert await index.get(name, name) == waiting
    assert set(await ids(index, name)) == {name, "op-1"}
    page = await index.search(name, waiting_for("bob", now, name), limit=10)
    assert list(page.rows) == [waiting]
    own = await index.search(name, waiting_for(name, now, name), limit=10)
    assert list(own.rows) == []
    assert (name, name) in [key[:2] async for key in index.stalled(now + 60 * MINUTE)]


async def test_a_row_is_never_replaced_by_an_older_one(index: Index, summary: Build) -> None:
    newer = summary(sequence=6, state="rejected")
    await put(index, newer, summary(sequence=5))
    assert await index.get("home", "op-1") == newer
    newest = summary(sequence=7, state="published", stage="closed")
    await put(index, newest)
    assert await index.get("home", "op-1") == newest
    assert await ids(index, state="rejected") == []
    assert await ids(index, state="published") == ["op-1"]


async def test_the_newest_row_stands_when_two_processes_put_at_once(
    index: Index, summary: Build, other: Start, race: Race
) -> None:
    await put(index, summary(sequence=1))
    race(other("put_in_turns", "2", "50"), other("put_in_turns", "3", "49"))
    assert await index.get("home", "op-1") == summary(sequence=50, tokens=50)


async def test_an_announcement_stands_until_the_row_is_put(
    index: Index, summary: Build, now: datetime
) -> None:
    token = await index.announce("home", "op-1", now)
    (announcement,) = await announced(index, now + MINUTE)
    assert (announcement.token, announcement.tenant, announcement.operation_id) == (
        token,
        "home",
        "op-1",
    )
    assert await announced(index, now) == []
    await index.put(summary(), token)
    assert await announced(index, now + MINUTE) == []


async def test_an_announcement_ends_also_when_a_newer_row_is_there(
    index: Index, summary: Build, now: datetime
) -> None:
    await put(index, summary(sequence=6))
    await index.put(summary(sequence=5), await index.announce("home", "op-1", now))
    assert await announced(index, now + MINUTE) == []


async def test_a_retracted_announcement_is_gone_and_others_stay(
    index: Index, now: datetime
) -> None:
    first = await index.announce("home", "op-1", now)
    second = await index.announce("home", "op-1", now)
    await index.retract(first)
    await index.retract(first)
    (left,) = await announced(index, now + MINUTE)
    assert left.token == second


async def test_the_oldest_announcements_come_first(index: Index, now: datetime) -> None:
    for minutes in (2, 0, 1):
        await index.announce("home", f"op-{minutes}", now + minutes * MINUTE)
    found = await announced(index, now + 9 * MINUTE)
    assert [announcement.operation_id for announcement in found] == ["op-0", "op-1", "op-2"]


async def test_pages_show_the_newest_first_and_end(
    index: Index, summary: Build, now: datetime
) -> None:
    for minutes in (1, 4, 0, 3, 2):
        await put(index, summary(f"op-{minutes}", created_at=now + minutes * MINUTE))
    assert await ids(index) == ["op-4", "op-3", "op-2", "op-1", "op-0"]
    page = await index.search("home", Search(), limit=5)
    assert page.cursor is None


async def test_operations_of_the_same_moment_are_each_shown_once(
    index: Index, summary: Build
) -> None:
    await put(index, *(summary(f"op-{n}") for n in range(5)))
    assert await ids(index) == ["op-4", "op-3", "op-2", "op-1", "op-0"]


async def test_pages_can_be_of_one_state(index: Index, summary: Build) -> None:
    states = ("running", "rejected", "running", "running")
    await put(index, *(summary(f"op-{n}", state=state) for n, state in enumerate(states)))
    assert await ids(index, state="running") == ["op-3", "op-2", "op-0"]
    assert await ids(index, state="no such state") == []


async def test_turning_the_page_is_not_disturbed_by_new_operations(
    index: Index, summary: Build, now: datetime
) -> None:
    await put(index, *(summary(f"op-{n}", created_at=now + n * MINUTE) for n in range(4)))
    first = await index.search("home", Search(), limit=2)
    await put(index, summary("op-9", created_at=now + 9 * MINUTE))
    await put(index, summary("op-1", created_at=now + MINUTE, sequence=9))
    second = await index.search("home", Search(), limit=2, cursor=first.cursor)
    assert [row.operation_id for row in second.rows] == ["op-1", "op-0"]
    assert second.cursor is None


@pytest.mark.parametrize(
    "cursor",
    [
        "",
        "nonsense",
        "ü",
        "\ud800",
        "W10=",  # []
        "WzEsIDJd",  # [1, 2]
        "WyIxIiwgIm9wIl0=",  # ["1", "op"]
        "W3RydWUsICJvcCJd",  # [true, "op"]
        "WzFlMzA5LCAib3AiXQ==",  # [1e309, "op"]
        "WzkyMjMzNzIwMzY4NTQ3NzU4MDgsICJvcCJd",  # [2 ** 63, "op"]
        "WzEsICJcdWQ4MDAiXQ==",  # [1, "\ud800"]
    ],
)
async def test_a_cursor_that_no_page_gave_out_is_refused(index: Index, cursor: str) -> None:
    with pytest.raises(BadCursor):
        await index.search("home", Search(), limit=2, cursor=cursor)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(cursor=st.text(max_size=40))
async def test_any_text_is_a_cursor_or_is_refused(index: Index, cursor: str) -> None:
    try:
        page = await index.search("home", Search(), limit=2, cursor=cursor)
    except BadCursor:
        return
    assert list(page.rows) == []


async def test_the_inbox_shows_the_nearest_deadline_first(
    index: Index, summary: Build, now: datetime
) -> None:
    for minutes in (30, 10, 20):
        await put(index, summary(f"op-{minutes}", expires_at=now + minutes * MINUTE))
    assert await inbox(index, "bob", now, "Report.Reviewer") == ["op-10", "op-20", "op-30"]


async def test_the_inbox_is_read_a_page_at_a_time_whatever_role_is_asked_for(
    index: Index, summary: Build, now: datetime
) -> None:
    for number in range(7):
        role = ("Report.Reviewer", "Report.Escalation")[number % 2]
        deadline = now + (number // 2 + 1) * MINUTE
        await put(index, summary(f"op-{number}", expires_at=deadline, required_role=role))
    search = waiting_for("bob", now, "Report.Reviewer", "Report.Escalation")
    seen: list[str] = []
    cursor: str | None = None
    while True:
        page = await index.search("home", search, limit=2, cursor=cursor)
        seen += [row.operation_id for row in page.rows]
        if (cursor := page.cursor) is None:
            break
    assert seen == [f"op-{number}" for number in range(7)]


async def test_the_inbox_goes_by_all_roles_of_the_person(
    index: Index, summary: Build, now: datetime
) -> None:
    await put(index, summary("op-1"), summary("op-2", required_role="Purchase.Approver"))
    both = ("Purchase.Approver", "Report.Reviewer")
    assert await inbox(index, "bob", now, *both) == ["op-1", "op-2"]
    assert await inbox(index, "bob", now, "Purchase.Approver") == ["op-2"]
    assert await inbox(index, "bob", now, "purchase.approver", "%", "") == []
    assert await inbox(index, "bob", now) == []


async def test_what_waits_for_either_of_two_roles_is_in_the_inbox_of_each_once(
    index: Index, summary: Build, now: datetime
) -> None:
    roles = ("Purchase.Escalation", "Purchase.Approver")
    waiting = [
        summary(
            f"op-{number}",
            required_role=roles[0],
            awaited_roles=roles[: 2 - number % 2],
            expires_at=now + (number + 1) * MINUTE,
        )
        for number in range(4)
    ]
    await put(index, *waiting)
    for asked, expected in {
        roles: [0, 1, 2, 3],
        roles[::-1]: [0, 1, 2, 3],
        roles[:1]: [0, 1, 2, 3],
        roles[1:]: [0, 2],
    }.items():
        names = [f"op-{number}" for number in expected]
        search = waiting_for("bob", now, *asked)
        assert await inbox(index, "bob", now, *asked) == names
        assert await index.count("home", search) == len(names)
        first = await index.search("home", search, limit=1)
        rest = await index.search("home", search, limit=9, cursor=first.cursor)
        assert [row.operation_id for row in (*first.rows, *rest.rows)] == names
    for role, expected in {roles[0]: 4, roles[1]: 2}.items():
        assert await index.count("home", Search(role=role)) == expected
        narrowed = replace(waiting_for("bob", now, *roles), role=role)
        assert await index.count("home", narrowed) == expected


async def test_the_list_of_what_was_announced_is_read_on_behind_any_of_it(
    index: Index, now: datetime
) -> None:
    for number in range(5):
        tenant = ("home", "other")[number % 2]
        await index.announce(tenant, f"op-{number}", now + number // 2 * MINUTE)
    everything = await announced(index, now + 60 * MINUTE)
    assert {each.operation_id for each in everything} == {f"op-{number}" for number in range(5)}
    for place, each in enumerate(everything, start=1):
        rest = index.announced_before(now + 60 * MINUTE, after=each.position)
        assert [left async for left in rest] == everything[place:]
    end = everything[-1].position
    assert [each async for each in index.announced_before(now, after=end)] == []


async def test_who_took_a_decision_back_is_no_decider_any_more(
    index: Index, summary: Build, now: datetime
) -> None:
    bob, eve = (
        Decider(person=name, name=name, decision="approve", version=1, at=now)
        for name in ("bob", "eve")
    )
    await put(index, summary(decided_by=(bob, eve)), summary(decided_by=(eve,), sequence=6))
    assert await index.count("home", Search(decider="bob")) == 0
    assert await index.count("home", Search(decider="eve")) == 1


async def test_what_waits_for_one_of_two_roles_no_more_leaves_that_inbox(
    index: Index, summary: Build, now: datetime
) -> None:
    roles = ("Purchase.Escalation", "Purchase.Approver")
    await put(index, summary(required_role=roles[0], awaited_roles=roles))
    await put(index, summary(required_role=roles[0], awaited_roles=roles[:1], sequence=6))
    assert await inbox(index, "bob", now, roles[1]) == []
    assert await inbox(index, "bob", now, roles[0]) == ["op-1"]


@pytest.mark.parametrize(
    "facts",
    [
        {"requester_id": "bob"},  # their own request
        {"approvers": ("ada", "bob")},  # approved by them already
        {"state": "running"},  # not waiting
        {"state": "published", "stage": "closed"},
        {"required_role": "Auditor"},  # somebody else's role
    ],
)
async def test_the_inbox_leaves_out_what_the_person_may_not_decide(
    index: Index, summary: Build, now: datetime, facts: dict[str, str]
) -> None:
    await put(index, summary("op-1", **facts), summary("op-2"))
    assert await inbox(index, "bob", now, "Report.Reviewer") == ["op-2"]


async def test_the_inbox_leaves_out_a_proposal_from_its_deadline_on(
    index: Index, summary: Build, now: datetime
) -> None:
    await put(index, summary("op-1", expires_at=now + MINUTE))
    just_before = now + MINUTE - timedelta(microseconds=1)
    assert await inbox(index, "bob", just_before, "Report.Reviewer") == ["op-1"]
    assert await inbox(index, "bob", now + MINUTE, "Report.Reviewer") == []


async def test_a_similar_name_among_the_approvers_is_somebody_else(
    index: Index, summary: Build, now: datetime
) -> None:
    await put(index, summary("op-1", approvers=("bobby", 'quo"te')))
    assert await inbox(index, "bob", now, "Report.Reviewer") == ["op-1"]
    assert await inbox(index, 'quo"te', now, "Report.Reviewer") == []
