"""docs/settings.md has every setting that the app reads, and its default."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping

from countersign.purchases.limits import read_limits
from countersign.retrieval.searches import USUAL_FIELDS
from countersign.settings import REQUIRED, read_settings
from countersign.stores.account import StorageAccount
from testbed.written import ROOT, documents, said

PAGE = documents()["docs/settings.md"]
NAME = re.compile(r"COUNTERSIGN_[A-Z]+(?:_[A-Z]+)*(?:__\w+)?")
PURPOSES = {"COUNTERSIGN_TEST_LOOPBACK", "COUNTERSIGN_TOKEN"}
"""For tests, and the token that `dev.py graph` is given."""


def rows() -> Iterator[tuple[str, str]]:
    """Each setting with its default, as the tables have them."""
    for row in re.findall(r"^\| `([A-Z_a-z]+)` \| (.*?) \|", PAGE, re.MULTILINE):
        if row[0].isupper() or "__" in row[0]:
            yield row


DEFAULTS: Mapping[str, str] = {name: text.strip("`¹²") for name, text in rows()}


def test_every_setting_that_the_code_names_has_a_row() -> None:
    named = {
        found
        for _, text in said("countersign")
        for found in NAME.findall(text)
        if "__" not in found
    }
    assert named - PURPOSES - set(DEFAULTS) == {"COUNTERSIGN_PURCHASING"}


def test_every_row_is_a_setting_that_the_code_names() -> None:
    texts = " ".join(text for _, text in said("countersign"))
    put_together = re.compile("COUNTERSIGN_(PURCHASING_|STORAGE|NOTIFY__|SIGN_IN_)")
    ours = [name for name in DEFAULTS if name.startswith("COUNTERSIGN_")]
    assert [name for name in ours if not put_together.match(name) and name not in texts] == []


def test_every_setting_of_the_sample_is_on_the_page() -> None:
    sample = json.loads((ROOT / "local.settings.sample.json").read_text("utf-8"))["Values"]
    ours = [name for name in sample if name.startswith("COUNTERSIGN_")]
    shortened = {name: f"`{name.removeprefix('COUNTERSIGN_NOTIFY')}`" for name in ours}
    assert [name for name in ours if f"`{name}`" not in PAGE and shortened[name] not in PAGE] == []


def test_a_default_in_the_table_is_the_default_of_the_code() -> None:
    settings = read_settings(
        {
            **dict.fromkeys(REQUIRED, "https://issuer.example"),
            "COUNTERSIGN_PURCHASING_URL": "https://purchasing.example",
        }
    )
    purchasing, model = settings.purchasing, settings.model
    assert purchasing
    defaults = {
        "COUNTERSIGN_STORAGE_PREFIX": StorageAccount().prefix,
        "COUNTERSIGN_PURGE_AFTER_DAYS": settings.purge_after_days,
        "COUNTERSIGN_RECONCILE_AFTER_SECONDS": settings.reconcile_after_seconds,
        "COUNTERSIGN_WINDOW_SECONDS": settings.window_seconds,
        "COUNTERSIGN_SHORTEST_WINDOW_SECONDS": settings.shortest_window_seconds,
        "COUNTERSIGN_QUORUM": settings.quorum,
        "COUNTERSIGN_OPEN_REQUESTS": settings.most_open,
        "COUNTERSIGN_TOKENS_PER_DAY": settings.tokens_per_day,
        "COUNTERSIGN_ZERO_PRICES": str(settings.zero_prices).lower(),
        "COUNTERSIGN_TOKEN_LIMIT": settings.token_limit,
        "COUNTERSIGN_PURCHASING_GUARDS": " ".join(sorted(purchasing.guards)),
        "COUNTERSIGN_PURCHASING_TIMEOUT_SECONDS": purchasing.timeout_seconds,
        "COUNTERSIGN_PURCHASING_SETTLING_SECONDS": purchasing.settling_seconds,
        "COUNTERSIGN_TOKEN_SCOPE": settings.tokens.scope,
        "COUNTERSIGN_SIGN_IN": "page",
        "COUNTERSIGN_SOURCES": " ".join(settings.allowed.names),
        "COUNTERSIGN_AZURE_SEARCH_FIELDS": USUAL_FIELDS,
        "COUNTERSIGN_MODEL_PROVIDER": model.provider,
        "COUNTERSIGN_MODEL_SECONDS": model.request_seconds,
        "COUNTERSIGN_MODEL_ANSWER_TOKENS": model.answer_tokens,
        "COUNTERSIGN_MODEL_SHOWN_CHARACTERS": model.shown_characters,
        "COUNTERSIGN_TELEMETRY_TEXTS": str(settings.telemetry_texts).lower(),
    }
    told = {
        name: f"{value:g}" if isinstance(value, float) else str(value)
        for name, value in defaults.items()
    }
    assert {name: DEFAULTS[name] for name in told} == told


def test_the_limits_in_the_table_are_the_limits_of_the_code() -> None:
    amounts, currencies = re.findall(
        r"^\| `COUNTERSIGN_PURCHASE_LIMITS` \| `(.*?)` in (.*?) \|", PAGE, re.M
    )[0]
    limits = read_limits({})
    assert list(limits) == re.findall(r"[A-Z]{3}", currencies)
    assert {f"{each.one_approver} {each.approvers_alone}" for each in limits.values()} == {amounts}
