"""Whose approval a request gets is up to its kind and the settings; it can only ask for more."""

from __future__ import annotations

import json
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from countersign.approvals.policy import Policy
from countersign.commands.starting import new_operation_id
from countersign.kinds.order import ORDER
from countersign.kinds.report import REPORT
from countersign.purchases.order_bodies import OrderRequestBody
from countersign.reports.report_bodies import ReportRequestBody
from countersign.settings import Settings, read_settings

LINE = {"sku": "S-1", "description": "Chairs", "quantity": 2, "unit_price": "12.50"}
REQUEST = {"vendor": "Acme", "currency": "EUR", "lines": [LINE], "reason": "We have none left."}


@pytest.fixture
def settings() -> Settings:
    return read_settings(
        {
            "COUNTERSIGN_DATA": "data",
            "COUNTERSIGN_TOKEN_ISSUER": "https://issuer.example",
            "COUNTERSIGN_TOKEN_CLIENTS": "any",
            "COUNTERSIGN_TOKEN_AUDIENCE": "api://countersign",
            "COUNTERSIGN_TOKEN_JWKS": "https://issuer.example/keys",
            "COUNTERSIGN_PURCHASE_LIMITS": "EUR 100 200, KWD 30 60",
            "COUNTERSIGN_WINDOW_SECONDS": "600",
        }
    )


def terms(settings: Settings, **changes: Any) -> Policy:
    body = OrderRequestBody.model_validate_json(json.dumps({**REQUEST, **changes}))
    return ORDER.policy(body, settings)


def test_an_order_is_decided_by_the_roles_of_its_kind_and_nobody_rewrites_it(
    settings: Settings,
) -> None:
    policy = terms(settings)
    assert (policy.reviewer_role, policy.escalation_role) == ORDER.roles.deciding
    assert (policy.window_seconds, policy.quorum, policy.has_team) == (600, 1, False)


@pytest.mark.parametrize(("currency", "one", "alone"), [("EUR", 100, 200), ("KWD", 30, 60)])
def test_an_order_has_the_limits_of_its_currency(
    settings: Settings, currency: str, one: int, alone: int
) -> None:
    policy = terms(settings, currency=currency)
    assert [tier.above for tier in policy.tiers] == [one, alone]
    assert policy.tier(Decimal(one)).quorum == 1
    assert policy.tier(Decimal(alone)).countersigner_role is None


def test_an_order_in_another_currency_has_none(settings: Settings) -> None:
    with pytest.raises(KeyError, match="USD"):
        terms(settings, currency="USD")


def test_a_request_can_ask_for_more_people_and_another_window(settings: Settings) -> None:
    policy = terms(settings, approval={"quorum": 3, "window_seconds": 60})
    assert (policy.quorum, policy.window_seconds) == (3, 60)


@pytest.mark.parametrize(
    ("shortest", "wanted", "refused"),
    [
        ("60", 59, True),
        ("60", 60, False),
        ("60", None, False),
        # An operator's own window is shorter than what can be asked for.
        ("3600", 599, True),
        ("3600", 600, False),
    ],
)
def test_a_request_cannot_ask_for_too_short_a_window(
    settings: Settings, shortest: str, wanted: int | None, refused: bool
) -> None:
    settings = replace(settings, shortest_window_seconds=float(shortest))
    policy = terms(settings, approval={"window_seconds": wanted})
    assert (settings.fault_in(policy) is not None) == refused


def test_a_request_cannot_ask_for_fewer_people_than_the_settings(settings: Settings) -> None:
    settings = replace(settings, quorum=2)
    body = ReportRequestBody.model_validate({"topic": "Tides"})
    assert REPORT.policy(body, settings).quorum == 2
    assert terms(settings, approval={"quorum": 1}).quorum == 2
    assert terms(settings, approval={"quorum": 3}).quorum == 3


def test_a_report_has_no_limits_and_a_team(settings: Settings) -> None:
    policy = REPORT.policy(ReportRequestBody.model_validate({"topic": "Tides"}), settings)
    assert (policy.reviewer_role, policy.escalation_role) == REPORT.roles.deciding
    assert (policy.tiers, policy.has_team) == ((), True)


@pytest.mark.parametrize("kind", [REPORT.name, ORDER.name])
def test_the_id_of_an_operation_tells_its_kind(kind: str) -> None:
    first, second = new_operation_id(kind), new_operation_id(kind)
    assert first != second
    assert first.startswith(f"{kind}-")


def test_a_request_that_says_nothing_new_is_stored_as_it_was_before_there_were_such_fields() -> (
    None
):
    said = {"topic": "Bees", "subtopics": ["Dance"]}
    approval = {"window_seconds": None, "quorum": 1, "role": "Report.Reviewer"}
    as_ever = {**said, "documents": None, "approval": approval}
    assert ReportRequestBody.model_validate(said).model_dump(mode="json") == as_ever
    new = {"look_in": ["library"], "addresses": ["https://example.com/a#b"]}
    assert ReportRequestBody.model_validate({**said, **new}).model_dump(mode="json") == {
        **as_ever,
        **new,
    }
