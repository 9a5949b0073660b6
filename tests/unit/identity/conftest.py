"""An issuer of tokens: a real key server on this machine and the means to sign anything."""

import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from jwt.algorithms import ECAlgorithm, RSAAlgorithm

from countersign.identity.keys import KeySet
from countersign.identity.terms import TokenTerms
from countersign.identity.tokens import TokenVerifier

ISSUER, AUDIENCE = "https://issuer.example/home", "api://countersign"


class Clock:
    """The present moment and, beside it, the seconds that only grow; both move when told to."""

    def __init__(self) -> None:
        self.now = datetime(2026, 11, 2, 12, tzinfo=timezone.utc)
        self.seconds = 1000.0

    def __call__(self) -> datetime:
        return self.now

    def pass_time(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)
        self.seconds += seconds


class KeyServer:
    """Answers with `status`, `headers` and `body`; sets `asked`, then waits for `open`."""

    def __init__(self) -> None:
        self.status, self.body = 200, b""
        self.headers: dict[str, str] = {}
        self.requests = 0
        self.asked = threading.Event()
        self.open = threading.Event()
        self.open.set()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}/keys"

    def publish(self, *keys: Any) -> None:
        self.body = json.dumps({"keys": keys}).encode()

    def close(self) -> None:
        self.open.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                server.requests += 1
                server.asked.set()
                server.open.wait(30)
                self.send_response(server.status)
                for name, value in server.headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(server.body)))
                self.end_headers()
                self.wfile.write(server.body)

            def log_request(self, code: Any = None, size: Any = None) -> None:
                """Say nothing."""

        return Handler


class Issuer:
    """A key pair and its public entry in a key set."""

    def __init__(self, private: Any, kid: str, algorithm: str) -> None:
        self.private, self.kid, self.algorithm = private, kid, algorithm
        kind = RSAAlgorithm if algorithm.startswith("RS") else ECAlgorithm
        self.entry = {**kind.to_jwk(private.public_key(), as_dict=True), "kid": kid}

    def sign(self, claims: dict[str, Any], **header: Any) -> str:
        algorithm = header.pop("alg", self.algorithm)
        return jwt.encode(claims, self.private, algorithm, {"kid": self.kid, **header})


@pytest.fixture(scope="session")
def rsa_issuer() -> Issuer:
    return Issuer(rsa.generate_private_key(65537, 2048), "rsa-1", "RS256")


@pytest.fixture(scope="session")
def other_rsa_issuer() -> Issuer:
    return Issuer(rsa.generate_private_key(65537, 2048), "rsa-2", "RS256")


@pytest.fixture(scope="session")
def ec_issuer() -> Issuer:
    return Issuer(ec.generate_private_key(ec.SECP256R1()), "ec-1", "ES256")


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def server(rsa_issuer: Issuer, ec_issuer: Issuer) -> Iterator[KeyServer]:
    server = KeyServer()
    server.publish(rsa_issuer.entry, ec_issuer.entry)
    yield server
    server.close()


@pytest.fixture
def keys(server: KeyServer, clock: Clock) -> KeySet:
    return KeySet(server.url, monotonic=lambda: clock.seconds)


@pytest.fixture
def terms(keys: KeySet, server: KeyServer) -> TokenTerms:
    """What the good claims fulfil."""
    return TokenTerms(
        issuer=ISSUER,
        audiences=(AUDIENCE,),
        jwks=server.url,
        scope="user_impersonation",
        subject="oid",
        tenants=frozenset({"home"}),
        clients=None,
    )


@pytest.fixture
def verifier(terms: TokenTerms, keys: KeySet, clock: Clock) -> TokenVerifier:
    return TokenVerifier(terms, keys, platform=False, clock=clock)


@pytest.fixture
def behind_the_platform(terms: TokenTerms, keys: KeySet, clock: Clock) -> TokenVerifier:
    """One for an app that App Service Authentication signs browsers in for."""
    both = replace(terms, audiences=(AUDIENCE, "client-id"))
    return TokenVerifier(both, keys, platform=True, clock=clock)


@pytest.fixture
def claims(clock: Clock) -> Callable[..., dict[str, Any]]:
    """Good claims but for what is said; `...` leaves one out."""

    def build(**changes: Any) -> dict[str, Any]:
        now = int(clock.now.timestamp())
        good = {
            "iss": ISSUER,
            "aud": AUDIENCE,
            "exp": now + 3600,
            "nbf": now,
            "iat": now,
            "oid": "ada-id",
            "sub": "ada-sub",
            "tid": "home",
            "name": "Ada",
            "roles": ["Report.Reviewer"],
            "scp": "user_impersonation",
        }
        return {name: value for name, value in {**good, **changes}.items() if value is not ...}

    return build
