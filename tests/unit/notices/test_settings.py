"""What the settings say about notices: where they go, and where their links lead."""

from __future__ import annotations

import pytest

from countersign.platform.environment import SettingsError
from countersign.settings import read_settings

ENOUGH = {
    "COUNTERSIGN_DATA": "data",
    "COUNTERSIGN_TOKEN_ISSUER": "https://issuer.example",
    "COUNTERSIGN_TOKEN_CLIENTS": "any",
    "COUNTERSIGN_TOKEN_AUDIENCE": "api://countersign",
    "COUNTERSIGN_TOKEN_JWKS": "https://issuer.example/keys",
}


@pytest.mark.parametrize(
    ("environment", "home"),
    [
        ({}, None),
        ({"COUNTERSIGN_PUBLIC_URL": ""}, None),
        ({"COUNTERSIGN_PUBLIC_URL": "https://reports.example/"}, "https://reports.example"),
        ({"COUNTERSIGN_PUBLIC_URL": "https://example.org/reports"}, "https://example.org/reports"),
        ({"WEBSITE_HOSTNAME": "ours.azurewebsites.net"}, "https://ours.azurewebsites.net"),
        ({"WEBSITE_HOSTNAME": "localhost:7071"}, "http://localhost:7071"),  # Core Tools
        ({"WEBSITE_HOSTNAME": "127.0.0.1:7071"}, "http://127.0.0.1:7071"),
        ({"WEBSITE_HOSTNAME": "localhost.example"}, "https://localhost.example"),
        (
            {"WEBSITE_HOSTNAME": "ours.azurewebsites.net", "COUNTERSIGN_PUBLIC_URL": "https://a"},
            "https://a",
        ),
    ],
)
def test_links_lead_to_the_address_that_was_set_or_else_to_the_hosts(
    environment: dict[str, str], home: str | None
) -> None:
    assert read_settings({**ENOUGH, **environment}).home == home


@pytest.mark.parametrize(
    "address", ["reports.example", "javascript:alert(1)", "https://", "https://a/?b", "https://a b"]
)
def test_an_address_that_no_link_can_begin_with_is_refused(address: str) -> None:
    with pytest.raises(SettingsError, match="COUNTERSIGN_PUBLIC_URL"):
        read_settings({**ENOUGH, "COUNTERSIGN_PUBLIC_URL": address})


def test_channels_are_read_and_their_secrets_are_shown_nowhere() -> None:
    settings = read_settings({**ENOUGH, "COUNTERSIGN_NOTIFY": "slack://secret/B/C"})
    assert settings.addresses.everybody[0].url == "slack://secret/B/C"
    assert "secret" not in repr(settings)
    with pytest.raises(SettingsError, match="COUNTERSIGN_NOTIFY") as failure:
        read_settings({**ENOUGH, "COUNTERSIGN_NOTIFY": "secret"})
    assert "secret" not in str(failure.value)
