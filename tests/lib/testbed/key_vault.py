"""What stands for Azure Key Vault: it refuses what the service refuses, and signs with a real key.

The shapes are those of https://learn.microsoft.com/rest/api/keyvault/keys: `getKey` and `sign`, and
the challenge that a request without a token gets.
"""

from __future__ import annotations

import base64
import json
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import Prehashed, decode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from countersign.platform.base64url import to_base64url
from testbed.certificate import certificate
from testbed.serving import Quiet, serving

VERSION = "0123456789abcdef0123456789abcdef"


class Vault:
    """One key in one vault.

    Attributes:
        address: of its key.
        resource: what it wants a token for.
        may_read: whether the identity may read the public key, which its role need not allow.
        fault: a status that it answers instead of a signature; 0 to hang up; None to sign.
        signed: how often it was asked to sign.
        file: its certificate, which a client has to trust.
    """

    def __init__(self, port: int, file: Path) -> None:
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.address = f"https://127.0.0.1:{port}/keys/proof-key/{VERSION}"
        # The client compares it with the end of the vault's name, which is 127.0.0.1 here.
        self.resource = f"https://0.0.1:{port}"
        self.may_read = True
        self.fault: int | None = None
        self.signed = 0
        self.file = file

    @property
    def public(self) -> str:
        """The public key as an operator would set it."""
        public = self.key.public_key()
        return base64.b64encode(
            public.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
        ).decode()

    def jwk(self) -> dict[str, object]:
        """Return what `getKey` answers."""
        numbers = self.key.public_key().public_numbers()
        x, y = (to_base64url(each.to_bytes(32, "big")) for each in (numbers.x, numbers.y))
        key = {"kid": self.address, "kty": "EC", "crv": "P-256", "key_ops": ["sign"]}
        return {"key": {**key, "x": x, "y": y}, "attributes": {"enabled": True}}

    def sign(self, body: dict[str, str]) -> dict[str, str]:
        """Return what `sign` answers."""
        assert body.keys() == {"alg", "value"}
        assert body["alg"] == "ES256"
        digest = base64.urlsafe_b64decode(body["value"] + "=")
        assert len(digest) == 32
        self.signed += 1
        r, s = decode_dss_signature(self.key.sign(digest, ec.ECDSA(Prehashed(SHA256()))))
        value = to_base64url(r.to_bytes(32, "big") + s.to_bytes(32, "big"))
        return {"kid": self.address, "value": value}


@contextmanager
def key_vault(folder: Path) -> Iterator[Vault]:
    """Serve a vault with a certificate of its own."""
    file = folder / "vault.pem"
    file.write_bytes(certificate("127.0.0.1"))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)
    server = ThreadingHTTPServer(("127.0.0.1", 0), Quiet)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    vault = Vault(server.server_address[1], file)
    server.RequestHandlerClass = type("Asked", (_Asked,), {"vault": vault})
    with serving(server):
        yield vault


class _Asked(Quiet):
    """One request; a subclass says of which vault."""

    vault: Vault

    def do_GET(self) -> None:
        if not self._is_refused(self.vault.address):
            self._answer(*((200, self.vault.jwk()) if self.vault.may_read else _refused(403)))

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if self._is_refused(f"{self.vault.address}/sign"):
            return
        if self.vault.fault is None:
            self._answer(200, self.vault.sign(json.loads(body)))
        elif self.vault.fault:
            self._answer(*_refused(self.vault.fault))

    def _is_refused(self, due: str) -> bool:
        if self.headers.get("Authorization") != "Bearer ours":
            where = "https://login.microsoftonline.com/11111111-1111-1111-1111-111111111111"
            challenge = f'Bearer authorization="{where}", resource="{self.vault.resource}"'
            self._answer(*_refused(401), challenge)
            return True
        parts = urlsplit(self.path)
        is_known = parts.path == urlsplit(due).path and "api-version" in parse_qs(parts.query)
        if not is_known:
            self._answer(*_refused(404))
        return not is_known

    def _answer(self, status: int, body: object, challenge: str | None = None) -> None:
        text = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        if challenge:
            self.send_header("WWW-Authenticate", challenge)
        self.end_headers()
        self.wfile.write(text)


def _refused(status: int) -> tuple[int, object]:
    return status, {"error": {"code": "Refused", "message": f"as a vault answers {status}"}}
