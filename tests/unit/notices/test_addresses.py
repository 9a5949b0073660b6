"""Where notices go, as an operator says it."""

from __future__ import annotations

import pytest

from countersign.notices.addresses import read_addresses, told_roles

REVIEWER, ESCALATION = "Report.Reviewer", "Report.Escalation"
MAIL, HOOK, CHAT = "mailto://ann:pw@mail.example", "json://host/secret", "slack://A/B/C"


def urls(environment: dict[str, str], *roles: str) -> list[str]:
    return [each.url for each in read_addresses(environment).of(roles)]


def test_without_a_setting_nobody_hears_anything() -> None:
    assert urls({}, REVIEWER) == []
    assert urls({"COUNTERSIGN_NOTIFY": " "}, REVIEWER) == []


def test_urls_stand_apart_by_blanks_or_line_ends() -> None:
    assert urls({"COUNTERSIGN_NOTIFY": f" {MAIL}\n{HOOK}  {CHAT}"}, REVIEWER) == [MAIL, HOOK, CHAT]


def test_a_role_with_channels_of_its_own_hears_by_those_alone() -> None:
    env = {"COUNTERSIGN_NOTIFY": MAIL, "COUNTERSIGN_NOTIFY__Report_Escalation": CHAT}
    assert urls(env, REVIEWER) == [MAIL]
    assert urls(env, ESCALATION) == [CHAT]
    assert urls(env, REVIEWER, ESCALATION) == [MAIL, CHAT]


@pytest.mark.parametrize("role", told_roles())
def test_every_role_that_is_told_something_can_have_channels_of_its_own(role: str) -> None:
    own = f"COUNTERSIGN_NOTIFY__{role.replace('.', '_')}"
    env = {"COUNTERSIGN_NOTIFY": MAIL, own: CHAT}
    assert urls(env, role) == [CHAT]
    assert all(urls(env, other) == [MAIL] for other in told_roles() if other != role)


def test_an_empty_setting_of_a_role_leaves_it_with_what_everybody_hears() -> None:
    env = {"COUNTERSIGN_NOTIFY": MAIL, "COUNTERSIGN_NOTIFY__Report_Escalation": ""}
    assert urls(env, ESCALATION) == [MAIL]


def test_a_channel_that_serves_several_roles_hears_once() -> None:
    assert urls({"COUNTERSIGN_NOTIFY": MAIL}, REVIEWER, ESCALATION) == [MAIL]


@pytest.mark.parametrize(
    "key",
    [
        "COUNTERSIGN_NOTIFY__Report.Reviewer",
        "COUNTERSIGN_NOTIFY__Report_Reviewer",  # Linux apps on Azure
        "COUNTERSIGN_NOTIFY__REPORT.REVIEWER",  # Windows
    ],
)
def test_a_role_may_be_written_as_each_system_allows(key: str) -> None:
    assert urls({key: MAIL}, REVIEWER) == [MAIL]


@pytest.mark.parametrize("key", ["COUNTERSIGN_NOTIFY__Report_Reviewr", "COUNTERSIGN_NOTIFY_ME"])
def test_a_setting_for_nobody_is_refused_by_name(key: str) -> None:
    with pytest.raises(ValueError, match=key):
        read_addresses({key: MAIL})


@pytest.mark.parametrize("text", ["pw@host", "://x", "slack:A/B", "hidden t://x", "mailto://"])
def test_what_is_no_url_is_refused_by_its_place_and_not_shown(text: str) -> None:
    with pytest.raises(ValueError, match="entry 2 of COUNTERSIGN_NOTIFY") as failure:
        read_addresses({"COUNTERSIGN_NOTIFY": f"{MAIL} {text}"})
    assert text.split()[0] not in str(failure.value).replace("mailto://…", "")


def test_a_label_tells_channels_apart_and_gives_nothing_away() -> None:
    env = {"COUNTERSIGN_NOTIFY": f"{MAIL} {HOOK}", "COUNTERSIGN_NOTIFY__Report_Escalation": CHAT}
    addresses = read_addresses(env)
    labels = [each.label for each in addresses.of((REVIEWER, ESCALATION))]
    assert labels == ["mailto 1", "json 2", "slack 1 of Report.Escalation"]
    assert "pw" not in repr(addresses)
    assert "secret" not in repr(addresses)
