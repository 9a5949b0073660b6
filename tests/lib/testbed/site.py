"""A web site on this machine, with any pages and faults."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from testbed.serving import serving

Page = tuple[int, dict[str, str], bytes]


@dataclass
class Site:
    """It answers as its pages say, and 404 everywhere else.

    Attributes:
        authority: its host and port.
        pages: by path with or without the query, the answer, or what makes it of the headers of a
            request.
        asked: the paths that were asked for, in order.
        headers: those of the last request.
        body: that of the last request.
        closing: set when the test is over: what waits may go.
    """

    authority: str
    pages: dict[str, Page | Callable[[dict[str, str]], Page]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""
    closing: threading.Event = field(default_factory=threading.Event)

    def url(self, path: str = "/") -> str:
        """The address of a page."""
        return f"http://{self.authority}{path}"

    def says(
        self, path: str, text: str | bytes, media_type: str = "text/html", **headers: str
    ) -> str:
        """Put a page there, and return its address."""
        data = text.encode() if isinstance(text, str) else text
        self.pages[path] = 200, {"Content-Type": media_type, **headers}, data
        return self.url(path)

    def leads(self, path: str, target: str, status: int = 302) -> str:
        """Let a path be redirected, and return its address."""
        self.pages[path] = status, {"Location": target}, b""
        return self.url(path)

    def answers(self, path: str, status: int) -> str:
        """Let a path answer with a status alone, and return its address."""
        self.pages[path] = status, {}, b""
        return self.url(path)

    def hangs(self, path: str) -> str:
        """Let a path answer nothing before the test is over, and return its address."""

        def hang(_: dict[str, str]) -> Page:
            self.closing.wait(60)
            return 503, {}, b""

        self.pages[path] = hang
        return self.url(path)


def server_of(site: Site) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            site.asked.append(self.path)
            site.headers = dict(self.headers.items())
            site.body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            path = self.path if self.path in site.pages else self.path.partition("?")[0]
            page = site.pages.get(path, (404, {}, b""))
            status, headers, data = page(site.headers) if callable(page) else page
            self.send_response(status)
            for name, value in {"Content-Length": str(len(data)), **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(data)

        def do_POST(self) -> None:
            self.do_GET()

        def log_message(self, format: str, *args: Any) -> None:
            """Say nothing."""

    return Handler


@pytest.fixture
def make_site() -> Iterator[Callable[[], Site]]:
    """Makes sites, each with a port of its own."""
    opened: list[tuple[Site, Any]] = []

    def make() -> Site:
        server = ThreadingHTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler)
        server.daemon_threads = True
        site = Site(f"127.0.0.1:{server.server_address[1]}")
        server.RequestHandlerClass = server_of(site)
        context = serving(server)
        context.__enter__()
        opened.append((site, context))
        return site

    yield make
    for site, context in opened:
        site.closing.set()
        context.__exit__(None, None, None)


@pytest.fixture
def site(make_site: Callable[[], Site]) -> Site:
    """One site."""
    return make_site()
