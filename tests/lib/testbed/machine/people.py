"""Who may or may not touch an operation, on which terms, and what they may order."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from functools import cache

from hypothesis import strategies as st

from countersign.approvals.operation import Operation
from countersign.approvals.person import Person
from countersign.approvals.policy import EDITION, Policy, Tier
from countersign.purchases.order import OrderContent
from testbed.orders import order

TENANT = "contoso"
WINDOW = 100.0


def person(name: str, *roles: str, tenant: str = TENANT) -> Person:
    """Somebody with these roles."""
    return Person(id=name, name=name, tenant=tenant, roles=frozenset(roles))


REQUESTER = person("rita", "Reviewer", "Escalation")
PEOPLE = [
    REQUESTER,
    person("ann", "Reviewer"),
    person("bob", "Reviewer"),
    person("cyd", "Reviewer", "Escalation"),
    person("eve", "Escalation"),
    person("fay", "Escalation"),
    person("olaf", "Auditor"),
    person("olga", "Operator"),
    person("stranger", "Reviewer", "Escalation", tenant="fabrikam"),
]
ROLES = {each.id: each.roles for each in PEOPLE if each.tenant == TENANT}

TIERS = (
    Tier(above=Decimal(1_000), quorum=2),
    Tier(above=Decimal(50_000), quorum=2, countersigner_role="Escalation"),
)


def _policies(tiers: tuple[Tier, ...], *, has_team: bool) -> st.SearchStrategy[Policy]:
    return st.builds(
        Policy,
        reviewer_role=st.just("Reviewer"),
        escalation_role=st.sampled_from(["Escalation", "Escalation", "Reviewer", None]),
        quorum=st.sampled_from([1, 1, 2, 3]),
        window_seconds=st.just(WINDOW),
        reminders=st.sampled_from([(), (50, 90)]),
        tiers=st.just(tiers),
        has_team=st.just(has_team),
        by_largest=st.just(bool(tiers)),
        edition=st.just(EDITION),
    )


policies: Mapping[str, st.SearchStrategy[Policy]] = {
    "research": _policies((), has_team=True),
    "purchase": _policies(TIERS, has_team=False),
}
"""The terms of the operations of each kind."""

# Totals on both sides of each limit.
_goods = st.builds(
    "{} {} {}".format,
    st.sampled_from(["Acme"] * 5 + ["Beta"]),
    st.sampled_from([1, 2]),
    st.sampled_from(["500.00", "500.00", "500.01", "25000.00", "25000.01", "25000.01"]),
)
drafts: Mapping[str, st.SearchStrategy[str]] = {"research": st.just("draft"), "purchase": _goods}
"""References of first contents; an order's says it all: vendor, pieces and price each."""

wishes = st.builds(dict, research=st.just("edited"), purchase=_goods)
"""References of what somebody corrects a content to, by the kind of the operation."""


@cache
def order_of(reference: str) -> OrderContent:
    """The order that a reference names."""
    vendor, pieces, price = reference.split()
    return order(("A", int(pieces), price), vendor=vendor)


def entitled(operation: Operation) -> list[Person]:
    """Those who may decide about the newest version."""
    current = operation.current
    assert current is not None
    asked = {current.required_role, current.asked_before, current.countersigner_role}
    return [each for each in PEOPLE[1:] if asked & ROLES.get(each.id, frozenset())]
