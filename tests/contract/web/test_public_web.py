"""A connection goes to the very address that was checked, and its certificate is the name's."""

from __future__ import annotations

import asyncio
import ipaddress
import socket
import ssl
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest

from countersign.web.public_web import NotPublic, PublicWeb
from testbed.certificate import certificate
from testbed.serving import serving
from testbed.site import Site, server_of

Resolve = Callable[[str], list[str]]
NAME = "bees.example"


@pytest.fixture
def resolved(monkeypatch: pytest.MonkeyPatch) -> Callable[[Resolve], list[str]]:
    """Lets names lead elsewhere; returns those that were asked for."""

    def use(resolve: Resolve) -> list[str]:
        asked: list[str] = []
        loop = asyncio.get_running_loop()

        async def answer(host: str, port: int, **_: Any) -> list[Any]:
            asked.append(host)
            families = {4: socket.AF_INET, 6: socket.AF_INET6}
            return [
                (
                    families[ipaddress.ip_address(each).version],
                    socket.SOCK_STREAM,
                    6,
                    "",
                    (each, port),
                )
                for each in resolve(host)
            ]

        monkeypatch.setattr(loop, "getaddrinfo", answer)
        return asked

    return use


async def get(address: str, *, also: list[str], trust: ssl.SSLContext) -> httpx.Response:
    transport = PublicWeb(also=also, trust=trust)
    async with httpx.AsyncClient(transport=transport, trust_env=False) as client:
        return await client.get(address)


@pytest.mark.parametrize(
    "numbers",
    [
        ["10.0.0.1"],
        ["169.254.169.254"],
        ["::1"],
        # one private address among public ones is one too many
        ["93.184.215.14", "127.0.0.1"],
        ["2606:2800:220:1::1", "::ffff:10.0.0.1"],
    ],
)
async def test_a_name_that_leads_into_a_private_network_is_refused(
    resolved: Callable[[Resolve], list[str]], numbers: list[str]
) -> None:
    resolved(lambda _: numbers)
    with pytest.raises(NotPublic):
        await get(f"https://{NAME}/", also=[], trust=ssl.create_default_context())


async def test_a_name_is_asked_for_once_and_the_connection_goes_where_it_was_checked(
    resolved: Callable[[Resolve], list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    connected: list[str] = []

    async def connect(transport: Any, request: httpx.Request) -> httpx.Response:
        connected.append(request.url.host)
        assert request.headers["Host"] == NAME
        return httpx.Response(200)

    monkeypatch.setattr(httpx.AsyncHTTPTransport, "handle_async_request", connect)
    answers = iter([["93.184.215.14"], ["127.0.0.1"]])
    asked = resolved(lambda _: next(answers))
    await get(f"http://{NAME}/", also=[], trust=ssl.create_default_context())
    assert (asked, connected) == ([NAME], ["93.184.215.14"])


async def test_an_address_that_is_away_is_followed_by_the_next(
    resolved: Callable[[Resolve], list[str]], site: Site
) -> None:
    port = site.authority.partition(":")[2]
    site.says("/", "Bees")
    resolved(lambda _: ["127.0.0.77", "127.0.0.1"])
    answer = await get(
        f"http://{NAME}:{port}/", also=[f"{NAME}:{port}"], trust=ssl.create_default_context()
    )
    assert answer.text == "Bees"


async def test_a_certificate_has_to_be_the_names_though_the_connection_goes_to_a_number(
    resolved: Callable[[Resolve], list[str]], secure: tuple[Site, ssl.SSLContext]
) -> None:
    site, trust = secure
    port = site.authority.partition(":")[2]
    site.says("/", "Bees")
    resolved(lambda _: ["127.0.0.1"])
    names = [f"{NAME}:{port}", f"wasps.example:{port}"]
    assert (await get(f"https://{names[0]}/", also=names, trust=trust)).text == "Bees"
    with pytest.raises(httpx.ConnectError, match=r"(?i)certificate"):
        await get(f"https://{names[1]}/", also=names, trust=trust)


@pytest.fixture
def secure(tmp_path: Path) -> Iterator[tuple[Site, ssl.SSLContext]]:
    """A site with a certificate for NAME, and what trusts that certificate alone."""
    file = tmp_path / "certificate.pem"
    file.write_bytes(certificate(NAME))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)
    server = ThreadingHTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    site = Site(f"127.0.0.1:{server.server_address[1]}")
    server.RequestHandlerClass = server_of(site)
    with serving(server):
        yield site, ssl.create_default_context(cafile=str(file))
