"""The settings say where passkeys are used and what takes one; what nobody could do is refused."""

from __future__ import annotations

import base64
import re
from decimal import Decimal

import pytest

from countersign.passkeys.site import Site
from countersign.platform.environment import SettingsError
from countersign.settings import read_settings

ENOUGH = {
    "COUNTERSIGN_DATA": "data",
    "COUNTERSIGN_TOKEN_ISSUER": "https://issuer.example",
    "COUNTERSIGN_TOKEN_AUDIENCE": "api://countersign",
    "COUNTERSIGN_TOKEN_JWKS": "https://issuer.example/keys",
    "COUNTERSIGN_TOKEN_CLIENTS": "any",
}
SIGNED = {
    **ENOUGH,
    "COUNTERSIGN_PUBLIC_URL": "https://sign.example.org/app",
    "COUNTERSIGN_PROOF_KEY": base64.b64encode(bytes(32)).decode(),
}


def test_passkeys_are_required_by_role_and_by_amount() -> None:
    named = "Purchase.Escalation, EUR 10000,USD 99.5"
    settings = read_settings({**SIGNED, "COUNTERSIGN_PASSKEYS_REQUIRED": named})
    assert settings.passkeys_required.roles == {"Purchase.Escalation"}
    assert settings.passkeys_required.above == {"EUR": Decimal(10_000), "USD": Decimal("99.5")}
    assert settings.passkey_site == Site(
        origin="https://sign.example.org", domain="sign.example.org"
    )
    assert not read_settings(SIGNED).passkeys_required


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"COUNTERSIGN_PROOF_KEY": ""}, "COUNTERSIGN_PROOF_KEY"),
        ({"COUNTERSIGN_PUBLIC_URL": ""}, "COUNTERSIGN_PUBLIC_URL"),
        # Browsers let no page have passkeys that is not encrypted, or has no name.
        ({"COUNTERSIGN_PUBLIC_URL": "http://sign.example.org"}, "COUNTERSIGN_PUBLIC_URL"),
        ({"COUNTERSIGN_PUBLIC_URL": "https://192.0.2.1"}, "COUNTERSIGN_PUBLIC_URL"),
        ({"COUNTERSIGN_PASSKEYS_REQUIRED": "EUR 1, EUR 2"}, "EUR more than once"),
    ],
)
def test_passkeys_are_not_required_where_nobody_could_have_one(
    changed: dict[str, str], reason: str
) -> None:
    with pytest.raises(SettingsError, match=reason):
        read_settings({**SIGNED, "COUNTERSIGN_PASSKEYS_REQUIRED": "EUR 1", **changed})


@pytest.mark.parametrize(
    ("named", "reason"),
    [
        # Another case, and a word misspelt.
        (
            "Purchase.escalation",
            "names Purchase.escalation, but the roles that decide are Report.Reviewer, ",
        ),
        (
            "Purchase.Approver, Purchase.Aprover",
            "names Purchase.Aprover, but the roles that decide are ",
        ),
        # A role of this app that decides nothing.
        ("Purchase.Requester", "names Purchase.Requester, but the roles that decide are "),
        # No limits are set for it, so no order can be in it.
        ("EUE 10000", "names EUE, but the currencies of orders are EUR, "),
    ],
)
def test_a_slip_never_switches_signatures_off(named: str, reason: str) -> None:
    with pytest.raises(SettingsError, match=re.escape(reason)):
        read_settings({**SIGNED, "COUNTERSIGN_PASSKEYS_REQUIRED": named})


@pytest.mark.parametrize(
    ("url", "domain", "site"),
    [
        ("http://127.0.0.1:7071", "", ("http://localhost:7071", "localhost")),
        ("http://localhost:7071", "", ("http://localhost:7071", "localhost")),
        ("https://a.example.org:8443", "", ("https://a.example.org:8443", "a.example.org")),
        ("https://a.example.org", "Example.org", ("https://a.example.org", "example.org")),
    ],
)
def test_passkeys_are_bound_to_the_page_or_to_a_domain_above(
    url: str, domain: str, site: tuple[str, str]
) -> None:
    named = {"COUNTERSIGN_PUBLIC_URL": url, "COUNTERSIGN_PASSKEY_DOMAIN": domain}
    found = read_settings({**ENOUGH, **named}).passkey_site
    assert found
    assert (found.origin, found.domain) == site


@pytest.mark.parametrize("domain", ["b.example.org", "le.org", "example.org/", "*.example.org"])
def test_no_other_domain_has_its_passkeys(domain: str) -> None:
    named = {
        "COUNTERSIGN_PUBLIC_URL": "https://a.example.org",
        "COUNTERSIGN_PASSKEY_DOMAIN": domain,
    }
    with pytest.raises(SettingsError, match=r"must be a\.example\.org or a domain above it"):
        read_settings({**ENOUGH, **named})
