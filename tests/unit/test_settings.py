"""Settings are read at once, and every fault is named at once."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest

from countersign.platform.environment import SettingsError
from countersign.retrieval.allowed import MOST_ADDRESSES
from countersign.settings import (
    MARKS_OF_AZURE,
    REQUIRED,
    SAMPLE_LIBRARY,
    Settings,
    read_settings,
)
from countersign.stores.account import StorageAccount

ENOUGH = {
    "COUNTERSIGN_DATA": "data",
    "COUNTERSIGN_TOKEN_ISSUER": "https://issuer.example",
    "COUNTERSIGN_TOKEN_CLIENTS": "any",
    "COUNTERSIGN_TOKEN_AUDIENCE": "api://countersign",
    "COUNTERSIGN_TOKEN_JWKS": "https://issuer.example/keys",
}


OPTIONAL = (
    *("COUNTERSIGN_STORAGE", "COUNTERSIGN_STORAGE__accountName", "COUNTERSIGN_STORAGE__clientId"),
    *("COUNTERSIGN_STORAGE_PREFIX", "COUNTERSIGN_NOTIFY", "COUNTERSIGN_NOTIFY__Report_Reviewer"),
    *("COUNTERSIGN_PURCHASING_URL", "COUNTERSIGN_PURCHASING_TOKEN", "COUNTERSIGN_PROOF_KEY"),
    *("COUNTERSIGN_PURCHASE_LIMITS", "COUNTERSIGN_PUBLIC_URL", "COUNTERSIGN_TENANTS"),
    *("COUNTERSIGN_LIBRARY", "COUNTERSIGN_WINDOW_SECONDS", "COUNTERSIGN_MODEL_PROVIDER"),
    "COUNTERSIGN_TOKEN_SCOPE",
)


@pytest.mark.parametrize("name", OPTIONAL)
def test_what_is_not_set_can_be_said_where_an_empty_value_is_not_heard(name: str) -> None:
    assert read_settings({**ENOUGH, name: " none "}) == read_settings(ENOUGH)


def test_a_purchasing_system_without_guards_is_never_taken_for_one_with_all_of_them() -> None:
    system = {"COUNTERSIGN_PURCHASING_URL": "https://purchasing.example"}
    read = read_settings({**ENOUGH, **system, "COUNTERSIGN_PURCHASING_GUARDS": "none"})
    assert read.purchasing
    assert read.purchasing.guards == frozenset()


@pytest.mark.parametrize("name", REQUIRED)
def test_what_is_required_is_missing_if_it_is_none(name: str) -> None:
    with pytest.raises(SettingsError, match=f"{name} is missing"):
        read_settings({**ENOUGH, name: "none"})


def test_what_is_required_is_enough() -> None:
    settings = read_settings(ENOUGH)
    assert settings.data == Path("data")
    assert settings.library == SAMPLE_LIBRARY
    assert settings.tokens.tenants is None
    assert settings.window_seconds == 86_400
    assert settings.model.provider == "extractive"


def test_every_missing_setting_is_named() -> None:
    for environment in ({}, dict.fromkeys(REQUIRED, ""), dict.fromkeys(REQUIRED, " ")):
        with pytest.raises(SettingsError) as failure:
            read_settings(environment)
        assert all(key in str(failure.value) for key in REQUIRED)


MALFORMED = {
    "COUNTERSIGN_DATA": "",
    "COUNTERSIGN_TOKEN_AUDIENCE": ",",
    "COUNTERSIGN_TOKEN_JWKS": "http://issuer.example/keys",
    "COUNTERSIGN_TOKEN_SCOPE": "read decide",
    "COUNTERSIGN_TENANTS": ",",
    "COUNTERSIGN_WINDOW_SECONDS": "soon",
    "COUNTERSIGN_SHORTEST_WINDOW_SECONDS": "0",
    "COUNTERSIGN_QUORUM": "0",
    "COUNTERSIGN_OPEN_REQUESTS": "501",
    "COUNTERSIGN_TOKENS_PER_DAY": "0",
    "COUNTERSIGN_ZERO_PRICES": "sometimes",
    "COUNTERSIGN_TOKEN_LIMIT": "0",
    "COUNTERSIGN_RECONCILE_AFTER_SECONDS": "-1",
    "COUNTERSIGN_PURGE_AFTER_DAYS": "0.5",
    "COUNTERSIGN_ANCHORS": "anchors.jsonl",
    "COUNTERSIGN_STORAGE": "AccountName=only",
    "COUNTERSIGN_PURCHASE_LIMITS": "EUR 1000",
    "COUNTERSIGN_PURCHASING_URL": "http://elsewhere.example",
    "COUNTERSIGN_NOTIFY": "nobody",
    "COUNTERSIGN_PASSKEYS_REQUIRED": "everybody",
    "COUNTERSIGN_PUBLIC_URL": "host",
    "COUNTERSIGN_MODEL_PROVIDER": "oracle",
    "COUNTERSIGN_SOURCES": "the web",
    "COUNTERSIGN_TELEMETRY_TEXTS": "maybe",
}


def test_every_malformed_setting_is_named_together_with_what_is_missing() -> None:
    with pytest.raises(SettingsError) as failure:
        read_settings({**ENOUGH, **MALFORMED})
    assert [key for key in MALFORMED if key not in str(failure.value)] == []


@pytest.mark.parametrize("key", MALFORMED)
def test_a_malformed_setting_is_a_fault_of_its_own(key: str) -> None:
    with pytest.raises(SettingsError, match=key):
        read_settings({**ENOUGH, key: MALFORMED[key]})


def test_there_is_a_way_to_read_each_setting() -> None:
    settings = read_settings(ENOUGH)
    assert all(hasattr(settings, each.name) for each in fields(Settings))


@pytest.mark.parametrize("text", [",", " ", " , ", ",,\n"])
@pytest.mark.parametrize(
    "key",
    ["COUNTERSIGN_TENANTS", "COUNTERSIGN_TOKEN_AUDIENCE", "COUNTERSIGN_TOKEN_CLIENTS"],
)
def test_text_that_names_nobody_never_means_everybody(key: str, text: str) -> None:
    with pytest.raises(SettingsError, match=key):
        read_settings({**ENOUGH, key: text})


@pytest.mark.parametrize(
    ("issuer", "claim"),
    [
        ("https://login.microsoftonline.com/home/v2.0", "oid"),
        ("https://sts.windows.net/home/", "oid"),
        ("https://login.microsoftonline.us/home/v2.0", "oid"),
        ("https://issuer.example/login.microsoftonline.com", "sub"),
        ("https://login.microsoftonline.com.example/", "sub"),
        ("home", "sub"),
    ],
)
def test_people_are_told_apart_by_one_claim_of_their_issuer(issuer: str, claim: str) -> None:
    environment = {**ENOUGH, "COUNTERSIGN_TOKEN_ISSUER": issuer}
    assert read_settings(environment).tokens.subject == claim
    said = {**environment, "COUNTERSIGN_TOKEN_SUBJECT": "employee"}
    assert read_settings(said).tokens.subject == "employee"


def test_tenants_and_clients_are_the_same_in_any_case_where_they_are_guids() -> None:
    guid = "3F2504E0-4F89-41D3-9A0C-0305E82C3301"
    named = {"COUNTERSIGN_TENANTS": f"{guid} Home", "COUNTERSIGN_TOKEN_CLIENTS": f"Page {guid}"}
    tokens = read_settings({**ENOUGH, **named}).tokens
    assert (tokens.tenants, tokens.clients) == ({guid.lower(), "Home"}, {guid.lower(), "Page"})


PAGE = {
    "COUNTERSIGN_SIGN_IN": "page",
    "COUNTERSIGN_SIGN_IN_AUTHORITY": "https://login.example/home/v2.0",
    "COUNTERSIGN_SIGN_IN_CLIENT_ID": "3F2504E0-4F89-41D3-9A0C-0305E82C3301",
    "COUNTERSIGN_SIGN_IN_SCOPE": "page/user_impersonation",
}


@pytest.mark.parametrize(
    ("said", "clients"),
    [
        # Where the page gets its own tokens, people decide on it.
        (PAGE, {"3f2504e0-4f89-41d3-9a0c-0305e82c3301"}),
        ({**PAGE, "COUNTERSIGN_TOKEN_CLIENTS": "terminal"}, {"terminal"}),
        ({**PAGE, "COUNTERSIGN_TOKEN_CLIENTS": "any"}, None),
        # The id tokens that the platform adds name no application, and count beside this.
        ({**PAGE, "COUNTERSIGN_SIGN_IN": "platform"}, set()),
        ({"COUNTERSIGN_TOKEN_CLIENTS": "any"}, None),
        ({"COUNTERSIGN_SIGN_IN": "token", "COUNTERSIGN_TOKEN_CLIENTS": "a, b"}, {"a", "b"}),
    ],
)
def test_people_decide_on_the_page_unless_more_applications_are_named(
    said: dict[str, str], clients: set[str] | None
) -> None:
    least = {name: text for name, text in ENOUGH.items() if name != "COUNTERSIGN_TOKEN_CLIENTS"}
    assert read_settings({**least, **said}).tokens.clients == clients


@pytest.mark.parametrize("said", [{}, {"COUNTERSIGN_SIGN_IN": "token"}])
def test_where_tokens_are_pasted_somebody_says_with_which_applications_people_decide(
    said: dict[str, str],
) -> None:
    least = {name: text for name, text in ENOUGH.items() if name != "COUNTERSIGN_TOKEN_CLIENTS"}
    with pytest.raises(SettingsError, match="COUNTERSIGN_TOKEN_CLIENTS is missing"):
        read_settings({**least, **said})


def test_only_without_a_word_about_tenants_all_are_served() -> None:
    assert read_settings({**ENOUGH, "COUNTERSIGN_TENANTS": ""}).tokens.tenants is None


@pytest.mark.parametrize(("text", "shown"), [("true", True), ("false", False), ("", False)])
def test_texts_are_in_telemetry_if_that_is_said(text: str, *, shown: bool) -> None:
    settings = read_settings({**ENOUGH, "COUNTERSIGN_TELEMETRY_TEXTS": text})
    assert settings.telemetry_texts is shown
    assert read_settings(ENOUGH).telemetry_texts is False


@pytest.mark.parametrize("text", ["True", "1", "yes", "on", " true", "no", "treu"])
def test_whoever_says_it_otherwise_is_asked_again(text: str) -> None:
    with pytest.raises(SettingsError, match="COUNTERSIGN_TELEMETRY_TEXTS must be true or false"):
        read_settings({**ENOUGH, "COUNTERSIGN_TELEMETRY_TEXTS": text})


@pytest.mark.parametrize("text", ["0", "-1", "soon", "inf", "nan", "1e300"])
@pytest.mark.parametrize("key", ["COUNTERSIGN_WINDOW_SECONDS", "COUNTERSIGN_TOKEN_LIMIT"])
def test_a_number_out_of_bounds_is_refused(key: str, text: str) -> None:
    with pytest.raises(SettingsError, match=key):
        read_settings({**ENOUGH, key: text})


@pytest.mark.parametrize(("text", "days"), [("", 30), ("1", 1), ("never", None)])
def test_instances_are_purged_after_some_days_or_never(text: str, days: float | None) -> None:
    settings = read_settings({**ENOUGH, "COUNTERSIGN_PURGE_AFTER_DAYS": text})
    assert settings.purge_after_days == days


@pytest.mark.parametrize("text", ["0", "Never", "soon", "-1", "1e9"])
def test_whoever_says_otherwise_when_to_purge_is_told_how(text: str) -> None:
    with pytest.raises(SettingsError, match=r"PURGE_AFTER_DAYS must be .* or never"):
        read_settings({**ENOUGH, "COUNTERSIGN_PURGE_AFTER_DAYS": text})


def test_anchors_are_in_a_file_or_in_an_account_that_the_app_signs_in_to(tmp_path: Path) -> None:
    file = tmp_path / "anchors.jsonl"
    assert read_settings({**ENOUGH, "COUNTERSIGN_ANCHORS": str(file)}).anchors == file
    address = "https://auditor.blob.core.windows.net"
    own = {"COUNTERSIGN_STORAGE__accountName": "ours", "COUNTERSIGN_STORAGE__clientId": "app"}
    place = read_settings({**ENOUGH, **own, "COUNTERSIGN_ANCHORS": f"{address}/"}).anchors
    assert isinstance(place, StorageAccount)
    assert (place.blob_uri, place.client_id) == (address, "app")


def test_in_azure_no_anchor_is_in_a_file_that_is_not_kept() -> None:
    env = {"WEBSITE_INSTANCE_ID": "a1", "COUNTERSIGN_STORAGE__accountName": "ours"}
    with pytest.raises(SettingsError, match="COUNTERSIGN_ANCHORS must be the address of a blob"):
        read_settings({**ENOUGH, **env, "COUNTERSIGN_ANCHORS": "/home/anchors.jsonl"})


@pytest.mark.parametrize("mark", MARKS_OF_AZURE)
def test_stores_of_one_machine_are_refused_where_there_are_several(mark: str) -> None:
    with pytest.raises(SettingsError, match="COUNTERSIGN_STORAGE__accountName"):
        read_settings({**ENOUGH, mark: "a1"})


def test_a_storage_account_may_serve_several_machines() -> None:
    env = {"WEBSITE_INSTANCE_ID": "a1", "COUNTERSIGN_STORAGE__accountName": "ours"}
    assert read_settings({**ENOUGH, **env}).account
    assert read_settings(ENOUGH).account is None


def test_a_malformed_storage_account_is_a_fault_of_the_settings() -> None:
    with pytest.raises(SettingsError, match="COUNTERSIGN_STORAGE"):
        read_settings({**ENOUGH, "COUNTERSIGN_STORAGE": "AccountName=only"})


def test_several_audiences_may_be_named() -> None:
    settings = read_settings({**ENOUGH, "COUNTERSIGN_TOKEN_AUDIENCE": "api://ours, client-id"})
    assert settings.tokens.audiences == ("api://ours", "client-id")


def test_a_model_on_azure_may_do_without_a_key() -> None:
    env = {
        "COUNTERSIGN_MODEL_PROVIDER": "azure",
        "COUNTERSIGN_MODEL": "gpt",
        "COUNTERSIGN_MODEL_URL": "https://ours.openai.azure.com",
    }
    assert read_settings({**ENOUGH, **env}).model.api_key is None


def test_tenants_are_separated_by_commas_or_spaces() -> None:
    settings = read_settings({**ENOUGH, "COUNTERSIGN_TENANTS": "a, b c"})
    assert settings.tokens.tenants == {"a", "b", "c"}


def test_a_model_that_lacks_settings_is_named_with_them() -> None:
    with pytest.raises(SettingsError, match="COUNTERSIGN_MODEL_URL"):
        read_settings({**ENOUGH, "COUNTERSIGN_MODEL_PROVIDER": "compatible"})


def test_a_key_is_never_shown() -> None:
    env = {
        "COUNTERSIGN_MODEL_PROVIDER": "openai",
        "COUNTERSIGN_MODEL": "gpt",
        "COUNTERSIGN_MODEL_KEY": "sk-secret",
    }
    assert "sk-secret" not in repr(read_settings({**ENOUGH, **env}))


def test_research_is_offline_unless_the_operator_says_otherwise() -> None:
    allowed = read_settings(ENOUGH).allowed
    assert (allowed.look_in, allowed.most_addresses) == (("library",), 0)
    opened = read_settings({**ENOUGH, "COUNTERSIGN_SOURCES": "pages, library"}).allowed
    assert (opened.look_in, opened.most_addresses) == (("library",), MOST_ADDRESSES)


@pytest.mark.parametrize("mark", MARKS_OF_AZURE)
def test_no_server_of_the_apps_own_machine_is_ever_read_in_azure(mark: str) -> None:
    local = {**ENOUGH, "COUNTERSIGN_TEST_LOOPBACK": "127.0.0.1:8080"}
    assert read_settings(local).allowed.loopback == {"127.0.0.1:8080"}
    with pytest.raises(SettingsError, match="COUNTERSIGN_TEST_LOOPBACK is for tests"):
        read_settings({**local, mark: "a1", "COUNTERSIGN_STORAGE__accountName": "ours"})


@pytest.mark.parametrize("server", ["10.0.0.1:80", "127.0.0.1", "example.com:80", "*"])
def test_only_servers_of_this_machine_can_be_let_in_for_tests(server: str) -> None:
    with pytest.raises(SettingsError, match="COUNTERSIGN_TEST_LOOPBACK"):
        read_settings({**ENOUGH, "COUNTERSIGN_TEST_LOOPBACK": server})


SEARCHES = {
    "COUNTERSIGN_SOURCES": "wikipedia mcp azure_search web_search",
    "COUNTERSIGN_WIKIPEDIA_LANGUAGE": "de",
    "COUNTERSIGN_MCP_COMMAND": "python3 -m our_server --name 'two words'",
    "COUNTERSIGN_AZURE_SEARCH_URL": "https://ours.search.windows.net",
    "COUNTERSIGN_AZURE_SEARCH_INDEX": "documents",
    "COUNTERSIGN_AZURE_SEARCH_KEY": "search-secret",
    "COUNTERSIGN_WEB_SEARCH_URL": "http://searx.internal:8080",
}


def test_each_search_is_turned_on_by_its_name_and_settings() -> None:
    allowed = read_settings({**ENOUGH, **SEARCHES}).allowed
    assert allowed.look_in == ("wikipedia", "mcp", "azure_search", "web_search")
    searches = allowed.searches
    assert searches.wikipedia == "https://de.wikipedia.org"
    assert searches.mcp
    assert searches.mcp.command == ("python3", "-m", "our_server", "--name", "two words")
    assert searches.azure
    assert searches.azure.fields["text"] == "content"
    assert "search-secret" not in repr(allowed)
    off = read_settings({**ENOUGH, **SEARCHES, "COUNTERSIGN_SOURCES": "library"}).allowed
    assert off.look_in == ("library",)
    assert off.searches.mcp is None


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("COUNTERSIGN_WIKIPEDIA_LANGUAGE", "evil.example/"),
        ("COUNTERSIGN_MCP_COMMAND", ""),
        ("COUNTERSIGN_MCP_COMMAND", "an 'open quote"),
        ("COUNTERSIGN_MCP_URL", "https://also.example/mcp"),
        ("COUNTERSIGN_AZURE_SEARCH_URL", "http://elsewhere.example"),
        ("COUNTERSIGN_AZURE_SEARCH_INDEX", ""),
        ("COUNTERSIGN_AZURE_SEARCH_FIELDS", "key=id"),
        ("COUNTERSIGN_WEB_SEARCH_URL", "https://user:password@searx.example"),
    ],
)
def test_a_search_that_is_turned_on_needs_its_settings(key: str, text: str) -> None:
    with pytest.raises(SettingsError, match=key):
        read_settings({**ENOUGH, **SEARCHES, key: text})
