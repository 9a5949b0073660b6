from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any, get_args
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from countersign.stores.index import Index
from countersign.stores.pages import ORDERINGS
from countersign.stores.search import Order, Search, Span, WaitsFor
from countersign.stores.summary import Decider, Summary
from testbed.rows import put

Build = Callable[..., Summary]
HOUR = timedelta(hours=1)
PEOPLE = ("ada", "bob", "eve")


async def found(index: Index, search: Search, tenant: str = "home") -> list[str]:
    """What a search finds, read three at a time."""
    ids: list[str] = []
    cursor = None
    while True:
        page = await index.search(tenant, search, limit=3, cursor=cursor)
        ids += [row.operation_id for row in page.rows]
        if (cursor := page.cursor) is None:
            assert await index.count(tenant, search) == len(ids)
            return ids


def decided(person: str, at: datetime, name: str = "") -> Decider:
    return Decider(person=person, name=name or person, decision="approve", version=1, at=at)


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        (("otters",), ["op-2", "op-1"]),
        (("ott",), ["op-2", "op-1"]),  # the beginning of a word
        (("tters",), []),  # not its end
        (("otters", "river"), ["op-1"]),  # every word counts
        (("grace",), ["op-3"]),  # the requester's name
        (("wanda",), ["op-2"]),  # the name of somebody who decided
        (("op", "3"), ["op-3"]),  # the id
        (("京",), ["op-3"]),  # a character of a script without spaces
        (("%",), []),
    ],
)
async def test_words_are_found_by_their_beginnings(
    index: Index, summary: Build, now: datetime, text: tuple[str, ...], ids: list[str]
) -> None:
    await put(
        index,
        summary("op-1", title="Otters of the river", created_at=now),
        summary(
            "op-2",
            title="„OTTERS“ at sea",
            created_at=now + HOUR,
            decided_by=(decided("w", now, "Wanda"),),
        ),
        summary("op-3", title="東京", created_at=now + 2 * HOUR, requester_name="Grace H"),
    )
    assert await found(index, Search(words=text)) == ids


async def test_what_changed_is_found_by_what_it_is_now(
    index: Index, summary: Build, now: datetime
) -> None:
    await put(index, summary("op-1", title="Otters", amount="5.00 EUR", sequence=5))
    later = summary(
        "op-1",
        title="Stoats",
        amount="7,000.00 EUR",
        sequence=6,
        state="published",
        decided_by=(decided("bob", now),),
    )
    await put(index, later, summary("op-1", title="Weasels", sequence=4))
    assert await found(index, Search(words=("otters",))) == []
    assert await found(index, Search(words=("weasels",))) == []
    assert await found(index, Search(words=("stoats",))) == ["op-1"]
    assert await found(index, Search(amount=Span(last=Decimal(100)))) == []
    assert await found(index, Search(decider="bob", state="published")) == ["op-1"]
    assert await found(index, Search(state="awaiting_approval")) == []


@pytest.mark.parametrize("order", get_args(Order))
async def test_what_an_order_does_not_apply_to_comes_last(
    index: Index, summary: Build, now: datetime, order: Order
) -> None:
    full = summary("op-1", amount="1.00 EUR", decided_by=(decided("bob", now),))
    bare = summary(
        "op-2", state="published", expires_at=None, created_at=now + (order == "oldest") * HOUR
    )
    await put(index, bare, full)
    ids = await found(index, Search(order=order))
    assert ids == (["op-2", "op-1"] if order == "newest" else ["op-1", "op-2"])


async def test_the_largest_amount_comes_first_whatever_its_digits(
    index: Index, summary: Build
) -> None:
    amounts = ("9.00 EUR", "1,000,000.00 EUR", "10.50 EUR", "70,000 JPY")
    await put(index, *(summary(f"op-{n}", amount=each) for n, each in enumerate(amounts)))
    assert await found(index, Search(order="amount")) == ["op-1", "op-3", "op-2", "op-0"]
    span = Span(first=Decimal("10.50"), last=Decimal(70_000))
    assert await found(index, Search(order="amount", amount=span)) == ["op-3", "op-2"]


async def test_what_has_no_deadline_waits_for_nobody(
    index: Index, summary: Build, now: datetime
) -> None:
    await put(index, summary("op-1", requester_id="bob", expires_at=None))
    search = Search(waits_for=WaitsFor(person="ada", roles=("Report.Reviewer",), now=now))
    assert await found(index, search) == []


async def test_another_tenant_s_operations_are_never_found(
    index: Index, summary: Build, now: datetime
) -> None:
    theirs = summary("op-1", tenant="other", amount="5.00 EUR", decided_by=(decided("bob", now),))
    await put(index, theirs)
    for search in (
        Search(),
        Search(words=("otters",)),
        Search(decider="bob"),
        Search(requester="ada"),
        Search(role="Report.Reviewer"),
        Search(kind="research"),
        Search(order="amount"),
    ):
        assert await found(index, search) == []
        assert await found(index, search, "other") == ["op-1"]


def rows(summary: Build, now: datetime) -> st.SearchStrategy[list[Summary]]:
    moments = st.integers(0, 3).map(lambda hours: now + hours * HOUR)
    facts = st.fixed_dictionaries(
        {
            "kind": st.sampled_from(["research", "order"]),
            "title": st.sampled_from(["Otters", "Stoats", "Otters and stoats"]),
            "requester_id": st.sampled_from(PEOPLE),
            "state": st.sampled_from(["awaiting_approval", "published", "running"]),
            "required_role": st.sampled_from([None, "Report.Reviewer", "Purchase.Approver"]),
            "approvers": st.sampled_from([(), ("bob",)]),
            "expires_at": st.none() | moments,
            "created_at": moments,
            "amount": st.sampled_from([None, "5.00 EUR", "1,500.00 EUR", "40 JPY"]),
            "approvals_needed": st.integers(1, 3),
            "decided_by": st.lists(
                st.builds(decided, st.sampled_from(PEOPLE), moments),
                max_size=2,
                unique_by=lambda each: each.person,
            ).map(tuple),
        }
    )
    numbered = st.lists(facts, max_size=9).map(enumerate)
    return numbered.map(lambda each: [summary(f"op-{n}", **facts) for n, facts in each])


def searches(now: datetime) -> st.SearchStrategy[Search]:
    moments = st.none() | st.integers(0, 3).map(lambda hours: now + hours * HOUR)
    spans = st.builds(lambda first, last: Span(first=first, last=last), moments, moments)
    prices = st.sampled_from([None, Decimal(5), Decimal("1500.00")])
    waiting = st.builds(
        WaitsFor,
        person=st.sampled_from(PEOPLE),
        roles=st.sampled_from([("Report.Reviewer",), ("Report.Reviewer", "Purchase.Approver")]),
        now=st.just(now + HOUR),
    )
    fields: dict[str, Any] = {
        "words": st.sampled_from([("otters",), ("s",), ("ott", "sto")]),
        "waits_for": waiting,
        "state": st.sampled_from(["awaiting_approval", "published"]),
        "kind": st.sampled_from(["research", "order"]),
        "requester": st.sampled_from(PEOPLE),
        "decider": st.sampled_from(PEOPLE),
        "role": st.just("Report.Reviewer"),
        "approvals": st.integers(1, 3),
        "amount": st.builds(lambda first, last: Span(first=first, last=last), prices, prices),
        "asked": spans,
        "decided": spans,
        "due": spans,
        "order": st.sampled_from(get_args(Order)),
    }
    return st.fixed_dictionaries({}, optional=fields).map(lambda facts: Search(**facts))


@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(data=st.data())
async def test_any_search_finds_what_matches_in_its_order_and_nothing_else(
    index: Index, summary: Build, now: datetime, data: st.DataObject
) -> None:
    tenant = uuid4().hex
    there = [replace(row, tenant=tenant) for row in data.draw(rows(summary, now))]
    search = data.draw(searches(now))
    await put(index, *there)
    matching = [row for row in there if search.matches(row)]
    expected = [row.operation_id for row in ORDERINGS[search.order].sorted(matching)]
    assert await found(index, search, tenant) == expected
