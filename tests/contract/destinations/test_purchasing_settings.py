import re

import pytest

from countersign.destinations.purchasing import Purchasing, read_purchasing

URL = "COUNTERSIGN_PURCHASING_URL"
THERE = {URL: "https://purchasing.example"}


def test_without_settings_there_is_no_purchasing_system() -> None:
    assert read_purchasing({}) is None
    assert read_purchasing({URL: " ", "COUNTERSIGN_PURCHASING_TOKEN": ""}) is None


def test_an_address_is_enough() -> None:
    assert read_purchasing(THERE) == Purchasing(
        url="https://purchasing.example",
        token=None,
        guards=frozenset({"key", "lookup"}),
        timeout_seconds=20.0,
        settling_seconds=300.0,
    )


def test_everything_can_be_set() -> None:
    environment = {
        **THERE,
        "COUNTERSIGN_PURCHASING_TOKEN": "s3cret",
        "COUNTERSIGN_PURCHASING_GUARDS": "lookup",
        "COUNTERSIGN_PURCHASING_TIMEOUT_SECONDS": "0.5",
        "COUNTERSIGN_PURCHASING_SETTLING_SECONDS": "0",
    }
    purchasing = read_purchasing(environment)
    assert purchasing == Purchasing(
        url="https://purchasing.example",
        token="s3cret",  # noqa: S106 - nobody's
        guards=frozenset({"lookup"}),
        timeout_seconds=0.5,
        settling_seconds=0.0,
    )
    assert "s3cret" not in repr(purchasing)


@pytest.mark.parametrize(
    ("url", "read"),
    [
        ("https://host/base/", "https://host/base"),
        ("https://host:8443", "https://host:8443"),
        ("http://127.0.0.1:7080", "http://127.0.0.1:7080"),
        ("http://localhost:7080/", "http://localhost:7080"),
        ("http://[::1]:7080", "http://[::1]:7080"),
    ],
)
def test_an_address_is_https_or_on_this_machine(url: str, read: str) -> None:
    purchasing = read_purchasing({URL: url})
    assert purchasing
    assert purchasing.url == read


@pytest.mark.parametrize(
    "url",
    [
        "purchasing.example",
        "http://purchasing.example",
        "http://10.0.0.1",
        "http://127.0.0.1.example",
        "https://",
        "https://user:s3cret@host",
        "https://host?s3cret",
        "https://host/#s3cret",
        "https://host\\@s3cret",
        "https://host:0",
        "https://host:65536",
        "https://[s3cret]",
        "https://[:::1]",
        "https://ho st",
        "https://höst",
        "ftp://host/s3cret",
    ],
)
def test_another_address_is_refused_and_not_shown(url: str) -> None:
    with pytest.raises(ValueError, match=URL) as raised:
        read_purchasing({URL: url})
    assert "s3cret" not in str(raised.value)


@pytest.mark.parametrize(
    ("guards", "read"),
    [
        ("", {"key", "lookup"}),
        ("key lookup", {"key", "lookup"}),
        (" lookup  key ", {"key", "lookup"}),
        ("key", {"key"}),
        ("lookup", {"lookup"}),
        ("none", set()),
    ],
)
def test_guards_are_named(guards: str, read: set[str]) -> None:
    purchasing = read_purchasing({**THERE, "COUNTERSIGN_PURCHASING_GUARDS": guards})
    assert purchasing
    assert purchasing.guards == read


@pytest.mark.parametrize(
    ("setting", "text"),
    [
        ("GUARDS", "keys"),
        ("GUARDS", "key none"),
        ("GUARDS", "key key"),
        ("GUARDS", "KEY"),
        ("TOKEN", "s3cret s3cret"),
        ("TOKEN", "s3cret\nX: y"),
        ("TOKEN", "s3crét"),
        ("TOKEN", "@Microsoft.KeyVault(SecretUri=https://v.example/s3cret)"),
        ("TIMEOUT_SECONDS", "0.05"),
        ("TIMEOUT_SECONDS", "121"),
        ("TIMEOUT_SECONDS", "nan"),
        ("TIMEOUT_SECONDS", "soon"),
        ("SETTLING_SECONDS", "-1"),
        ("SETTLING_SECONDS", "inf"),
    ],
)
def test_what_is_malformed_is_refused_in_one_sentence(setting: str, text: str) -> None:
    name = f"COUNTERSIGN_PURCHASING_{setting}"
    with pytest.raises(ValueError, match=re.escape(name)) as raised:
        read_purchasing({**THERE, name: text})
    assert "s3cr" not in str(raised.value)


@pytest.mark.parametrize("setting", ["TOKEN", "GUARDS", "TIMEOUT_SECONDS", "SETTLING_SECONDS"])
def test_settings_of_no_purchasing_system_are_refused(setting: str) -> None:
    name = f"COUNTERSIGN_PURCHASING_{setting}"
    with pytest.raises(ValueError, match=f"{name} is set, but {URL} is missing"):
        read_purchasing({name: "1"})
