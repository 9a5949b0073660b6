import asyncio
import json
import logging
import os
from base64 import urlsafe_b64encode
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from countersign.identity.keys import (
    LONGEST_OUTAGE,
    MAX_AGE,
    MAX_BYTES,
    REFRESH_FLOOR,
    RETRY_FLOOR,
    KeySet,
    KeysUnavailable,
)
from countersign.identity.tokens import TokenVerifier

Claims = Callable[..., dict[str, Any]]

SHORT = urlsafe_b64encode(b"\xff" * 128).rstrip(b"=").decode()
"""A modulus of 1024 bits."""


async def test_keys_are_fetched_once_and_kept(keys: KeySet, server: Any) -> None:
    assert server.requests == 0
    for kid in ("rsa-1", "ec-1", "rsa-1"):
        assert await keys.find(kid)
    assert server.requests == 1


async def test_callers_at_the_same_time_share_one_request(keys: KeySet, server: Any) -> None:
    server.open.clear()
    callers = [asyncio.create_task(keys.find("rsa-1")) for _ in range(10)]
    await asyncio.to_thread(server.asked.wait, 30)
    server.open.set()
    assert all(await asyncio.gather(*callers))
    assert server.requests == 1


async def test_a_caller_who_leaves_does_not_take_the_others_along(
    keys: KeySet, server: Any
) -> None:
    server.open.clear()
    leaver, stayer = (asyncio.create_task(keys.find("rsa-1")) for _ in range(2))
    await asyncio.to_thread(server.asked.wait, 30)
    leaver.cancel()
    server.open.set()
    assert await stayer


async def test_a_new_key_is_found_and_the_old_one_is_gone(
    keys: KeySet, server: Any, clock: Any, other_rsa_issuer: Any
) -> None:
    assert await keys.find("rsa-1")
    server.publish(other_rsa_issuer.entry)
    clock.pass_time(REFRESH_FLOOR)
    assert await keys.find("rsa-2")
    assert await keys.find("rsa-1") is None


async def test_a_token_by_a_new_key_is_good_after_a_rotation(
    verifier: TokenVerifier,
    server: Any,
    clock: Any,
    rsa_issuer: Any,
    other_rsa_issuer: Any,
    claims: Claims,
) -> None:
    await verifier.verify({"Authorization": f"Bearer {rsa_issuer.sign(claims())}"})
    server.publish(rsa_issuer.entry, other_rsa_issuer.entry)
    clock.pass_time(REFRESH_FLOOR)
    assert await verifier.verify({"Authorization": f"Bearer {other_rsa_issuer.sign(claims())}"})
    assert await verifier.verify({"Authorization": f"Bearer {rsa_issuer.sign(claims())}"})


async def test_unknown_keys_do_not_make_us_flood_the_issuer(
    keys: KeySet, server: Any, clock: Any
) -> None:
    await keys.find("rsa-1")
    for _ in range(2):
        clock.pass_time(REFRESH_FLOOR)
        for _ in range(20):
            assert await keys.find("forged") is None
    assert server.requests == 3


async def test_forged_tokens_do_not_delay_a_rotation(
    keys: KeySet, server: Any, clock: Any, other_rsa_issuer: Any
) -> None:
    await keys.find("rsa-1")
    clock.pass_time(REFRESH_FLOOR)
    assert await keys.find("forged-0") is None
    server.publish(other_rsa_issuer.entry)
    clock.pass_time(REFRESH_FLOOR / 2)
    for kid in ("forged-1", "rsa-2", "forged-2"):
        with pytest.raises(KeysUnavailable):
            await keys.find(kid)
    assert server.requests == 2
    clock.pass_time(REFRESH_FLOOR / 2)
    assert await keys.find("rsa-2")


async def test_a_withdrawn_key_stops_counting_after_a_while(
    keys: KeySet, server: Any, clock: Any, ec_issuer: Any
) -> None:
    assert await keys.find("rsa-1")
    server.publish(ec_issuer.entry)
    clock.pass_time(MAX_AGE)
    assert await keys.find("rsa-1") is None


def too_long(server: Any) -> None:
    server.body += b" " * MAX_BYTES


def redirect(server: Any) -> None:
    server.status, server.headers = 302, {"Location": server.url}


def answer(status: int, body: bytes | None = None) -> Callable[[Any], None]:
    def change(server: Any) -> None:
        server.status = status
        server.body = server.body if body is None else body

    return change


FAULTS = {
    "gone": lambda server: server.close(),
    "failing": answer(500),
    "not-there": answer(404),
    "redirecting": redirect,
    "empty": answer(200, b""),
    "not-json": answer(200, b"<html>"),
    "nested": answer(200, b"[" * 100_000),
    "a-list": answer(200, b"[]"),
    "no-list": answer(200, b'{"keys": {}}'),
    "no-keys": answer(200, b'{"keys": [7, null, {}, {"kid": []}]}'),
    "too-long": too_long,
}


@pytest.mark.parametrize("fault", FAULTS)
async def test_without_any_keys_the_fault_is_the_issuer_s_not_the_caller_s(
    keys: KeySet, server: Any, fault: str
) -> None:
    FAULTS[fault](server)
    with pytest.raises(KeysUnavailable):
        await keys.find("rsa-1")


@pytest.mark.parametrize("fault", FAULTS)
async def test_kept_keys_go_on_being_used_in_an_outage(
    keys: KeySet, server: Any, clock: Any, caplog: pytest.LogCaptureFixture, fault: str
) -> None:
    assert await keys.find("rsa-1")
    FAULTS[fault](server)
    clock.pass_time(MAX_AGE)
    with caplog.at_level(logging.WARNING):
        assert await keys.find("rsa-1")
    assert "no new keys from 127.0.0.1" in caplog.text


async def test_kept_keys_stop_counting_when_an_outage_lasts(
    keys: KeySet, server: Any, clock: Any
) -> None:
    assert await keys.find("rsa-1")
    server.status = 500
    clock.pass_time(LONGEST_OUTAGE - 1)
    assert await keys.find("rsa-1")
    clock.pass_time(1)
    with pytest.raises(KeysUnavailable):
        await keys.find("rsa-1")
    server.status = 200
    clock.pass_time(REFRESH_FLOOR)
    assert await keys.find("rsa-1")


async def test_keys_are_had_again_soon_after_an_outage_at_the_start(
    keys: KeySet, server: Any, clock: Any
) -> None:
    server.status = 500
    for _ in range(5):
        with pytest.raises(KeysUnavailable):
            await keys.find("rsa-1")
    assert server.requests == 1
    server.status = 200
    clock.pass_time(RETRY_FLOOR)
    assert await keys.find("rsa-1")


async def test_a_redirect_is_not_followed(keys: KeySet, server: Any) -> None:
    redirect(server)
    with pytest.raises(KeysUnavailable):
        await keys.find("rsa-1")
    assert server.requests == 1


async def test_a_proxy_is_not_asked_for_what_is_on_this_machine(
    keys: KeySet, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    assert await keys.find("rsa-1")


@pytest.mark.parametrize(
    "change",
    [
        {"use": "enc"},
        {"kid": 7},
        {"kid": ""},
        {"kty": "oct", "k": "c2VjcmV0"},
        {"kty": "otters"},
        {"alg": "RS512"},
        {"alg": "ES256"},
        {"alg": "none"},
        {"alg": "None"},
        {"alg": "HS256"},
        {"alg": ["RS256"]},
        {"alg": {"RS256": None}},
        {"e": ""},
        {"e": "\ud800"},
        {"n": "A" * 100_000},
        {"kty": "EC"},
        {"kty": "OKP", "crv": "Ed25519", "x": "AQAB"},
        {"n": "AQAB"},
        {"n": 7},
        {"d": "AQAB"},  # a private key that slipped out is nothing to rely on
    ],
)
async def test_an_entry_unfit_for_signatures_is_passed_over(
    keys: KeySet, server: Any, rsa_issuer: Any, ec_issuer: Any, change: dict[str, Any]
) -> None:
    server.publish({**rsa_issuer.entry, **change}, ec_issuer.entry)
    assert await keys.find("rsa-1") is None
    assert await keys.find("ec-1")


async def test_a_short_rsa_key_is_passed_over(keys: KeySet, server: Any, ec_issuer: Any) -> None:
    server.publish({"kid": "short", "kty": "RSA", "e": "AQAB", "n": SHORT}, ec_issuer.entry)
    assert await keys.find("short") is None


@pytest.mark.parametrize(
    "url",
    [
        "http://issuer.example/keys",
        "http://10.0.0.7/keys",
        "http://localhost.attacker.example/keys",
        "http://0.0.0.0/keys",
        "ftp://127.0.0.1/keys",
        "file://elsewhere/etc/keys",
        "file:///",
        "https:///keys",
        "keys",
        "",
        "http://[::1",
        "https://user:secret@issuer.example/keys",
    ],
)
def test_an_address_that_others_could_answer_for_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match="the key set's address") as caught:
        KeySet(url)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    "url",
    [
        "https://issuer.example/keys",
        "http://127.0.0.1:7071/keys",
        "http://localhost:7071/keys",
        "http://[::1]:7071/keys",
    ],
)
def test_https_and_this_machine_are_trusted_and_nothing_is_fetched_yet(url: str) -> None:
    KeySet(url)


async def test_one_key_set_serves_one_event_loop_after_another(server: Any) -> None:
    keys = KeySet(server.url)
    found = await asyncio.to_thread(lambda: asyncio.run(keys.find("rsa-1")))
    assert found is await keys.find("rsa-1")


async def test_keys_can_be_in_a_file_that_nobody_else_can_write(
    tmp_path: Path, rsa_issuer: Any
) -> None:
    file = tmp_path / "keys.json"
    file.write_text(json.dumps({"keys": [rsa_issuer.entry]}), "utf-8")
    file.chmod(0o644)
    assert await KeySet(file.as_uri()).find("rsa-1")


@pytest.mark.parametrize(
    "spoil",
    [
        lambda file: file.chmod(0o666),  # others could put their own keys in
        lambda file: file.unlink(),
        lambda file: file.write_bytes(b" " * (MAX_BYTES + 1)),
        lambda file: file.write_bytes(b"{"),
    ],
    ids=["writable", "missing", "too long", "no JSON"],
)
@pytest.mark.skipif(os.name == "nt", reason="Windows has no such rights")
async def test_a_file_that_is_not_to_be_trusted_proves_nobody(
    tmp_path: Path, rsa_issuer: Any, spoil: Callable[[Path], Any]
) -> None:
    file = tmp_path / "keys.json"
    file.write_text(json.dumps({"keys": [rsa_issuer.entry]}), "utf-8")
    file.chmod(0o644)
    spoil(file)
    with pytest.raises(KeysUnavailable):
        await KeySet(file.as_uri()).find("rsa-1")
