"""The issuer's public keys (JSON Web Key Set, RFC 7517), fetched when needed and kept."""

from __future__ import annotations

import asyncio
import ipaddress
import json
import logging
import os
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any
from urllib.request import url2pathname

import httpx
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePublicKey
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
from jwt import PyJWK

from countersign.identity.errors import KeysUnavailable

ALGORITHMS = ("RS256", "ES256")
"""What tokens may be signed with: public keys only, so that no key can be used as a secret."""

MAX_BYTES = 262_144
MAX_AGE = 3_600.0
"""Seconds after which the keys are asked for again, so that a withdrawn one stops counting."""

LONGEST_OUTAGE = 86_400.0
"""Seconds for which keys go on counting that the issuer can't be asked about: a key that was
withdrawn because somebody stole it must not count for as long as they keep the issuer away."""

REFRESH_FLOOR = 5.0
"""Seconds between two requests to the issuer, however many unknown keys are named meanwhile.

Whoever names a key after the last request is asked to come again, and is not told that there is no
such key: it may be the next one of a rotation, and forged tokens must not delay that.
"""

RETRY_FLOOR = 1.0
"""The same as long as there are no keys at all and nobody can sign in."""

_TIMEOUT = 5.0
_MIN_RSA_BITS = 2048
_log = logging.getLogger(__name__)


class KeySet:
    """The keys at one URL; callers that need them at the same time share one request.

    Args:
        url: where the issuer publishes its keys: https, http on this machine, or a file of it that
            nobody else can write.
        monotonic: seconds that only grow; how old the keys are is no matter of the wall clock.

    Raises:
        ValueError: the URL is neither https, nor http to a loopback address, nor a file's.
    """

    def __init__(self, url: str, *, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._url = check_address(url)
        self._monotonic = monotonic
        self._keys: Mapping[str, PyJWK] = {}
        self._fetched_at = self._asked_at = float("-inf")
        self._out_of_reach = True
        self._absent: set[str] = set()
        self._asking = asyncio.Lock()

    async def find(self, kid: str) -> PyJWK | None:
        """Return the key with this id, None if the issuer has none (that is fit for signatures).

        Raises:
            KeysUnavailable: it may be a new key, but the issuer can't be asked now.
        """
        came = self._monotonic()
        if not self._settled(kid):
            async with self._asking:
                if not self._settled(kid):
                    await self._refresh()
        if self._out_of_reach and self._monotonic() - self._fetched_at >= LONGEST_OUTAGE:
            self._keys = {}
        key = self._keys.get(kid)
        if key is None and (self._out_of_reach or not self._was_asked_for(kid, came)):
            raise KeysUnavailable("the sign-in service's keys are unavailable")
        return key

    def _settled(self, kid: str) -> bool:
        now = self._monotonic()
        floor = REFRESH_FLOOR if self._keys else RETRY_FLOOR
        current = kid in self._keys and now - self._fetched_at < MAX_AGE
        return current or now - self._asked_at < floor

    def _was_asked_for(self, kid: str, came: float) -> bool:
        """Return whether the keys were fetched after this id was first seen, so it is unknown."""
        if self._fetched_at >= came:
            self._absent.add(kid)
        return kid in self._absent

    async def _refresh(self) -> None:
        began = self._monotonic()
        try:
            document = await asyncio.wait_for(_document(self._url), _TIMEOUT)
            self._keys = _usable(json.loads(document))
            self._fetched_at = began
            self._out_of_reach = False
            self._absent.clear()
        except (
            httpx.HTTPError,
            asyncio.TimeoutError,
            OSError,
            ValueError,
            RecursionError,
        ) as error:
            # Old keys go on being used: an outage of the issuer's is none of ours.
            self._out_of_reach = True
            _log.warning("no new keys from %s: %r", self._url.host or self._url.path, error)
        # Not reached by a caller who was cancelled: the next one asks instead.
        self._asked_at = self._monotonic()


def check_address(url: str) -> httpx.URL:
    """Return the address of a key set, if nobody can change on the way what is read from there.

    Raises:
        ValueError: it is neither https, nor http to a loopback address, nor a file's.
    """
    try:
        parsed = httpx.URL(url)
    except httpx.InvalidURL as error:
        raise ValueError(f"the key set's address {url!r} is not a URL") from error
    if parsed.userinfo:
        raise ValueError("the key set's address must not hold a user name or password")
    if parsed.host and (parsed.scheme == "https" or _is_loopback_http(parsed)):
        return parsed
    if parsed.scheme == "file" and not parsed.host and len(parsed.path) > 1:
        return parsed
    raise ValueError(
        f"the key set's address {url!r} must be https, http on this machine, or a file"
    )


def _is_loopback_http(url: httpx.URL) -> bool:
    return url.scheme == "http" and _is_loopback(url.host)


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


async def _document(url: httpx.URL) -> bytes:
    if url.scheme == "file":
        return await asyncio.to_thread(_read, Path(url2pathname(url.path)))
    return await _fetch(url)


def _read(file: Path) -> bytes:
    # Whoever can change the keys can be anybody.
    if os.name != "nt" and (file.stat().st_mode & 0o022 or not _is_ours(file)):
        raise ValueError("another user can write that file")
    with file.open("rb") as stream:
        document = stream.read(MAX_BYTES + 1)
    if len(document) > MAX_BYTES:
        raise ValueError(f"it is longer than {MAX_BYTES} bytes")
    return document


def _is_ours(file: Path) -> bool:
    return file.stat().st_uid in {0, os.geteuid()}


async def _fetch(url: httpx.URL) -> bytes:
    # Unencoded, because a small compressed answer could unpack to any size; and never through a
    # proxy to this machine itself.
    client = httpx.AsyncClient(
        headers={"Accept": "application/json", "Accept-Encoding": "identity"},
        follow_redirects=False,
        timeout=_TIMEOUT,
        trust_env=not _is_loopback(url.host),
    )
    async with client, client.stream("GET", url) as response:
        if response.status_code != httpx.codes.OK:
            raise ValueError(f"the answer was {response.status_code}")
        document = bytearray()
        async for chunk in response.aiter_raw():
            document += chunk
            if len(document) > MAX_BYTES:
                raise ValueError(f"the answer is longer than {MAX_BYTES} bytes")
        return bytes(document)


def _usable(document: Any) -> Mapping[str, PyJWK]:
    listed = document.get("keys") if isinstance(document, dict) else None
    entries = listed if isinstance(listed, list) else []
    keys = {key.key_id: key for entry in entries if (key := _key(entry)) and key.key_id}
    if not keys:
        raise ValueError("the answer contains no key for signing tokens")
    return keys


def _key(entry: Any) -> PyJWK | None:
    """Read one entry; None if it is not a public key for signatures by `ALGORITHMS`."""
    if not isinstance(entry, dict) or entry.get("use", "sig") != "sig":
        return None
    if not isinstance(entry.get("kid"), str) or "d" in entry:
        return None
    try:
        key = PyJWK(entry)
    except Exception:  # noqa: BLE001 - from outside, and the library has many ways to say no
        return None
    return key if key.algorithm_name in ALGORITHMS and _is_strong(key.key) else None


def _is_strong(key: Any) -> bool:
    """Return whether a key is what RFC 7518 asks of RS256 (section 3.3) or ES256 (section 3.4)."""
    if isinstance(key, RSAPublicKey):
        return key.key_size >= _MIN_RSA_BITS
    return isinstance(key, EllipticCurvePublicKey) and isinstance(key.curve, SECP256R1)
