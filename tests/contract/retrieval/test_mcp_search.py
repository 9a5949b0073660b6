"""The search tool of a genuine MCP server, as a program and at an address."""

from __future__ import annotations

import asyncio
import importlib.util
import socket
import sys
import threading
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
import uvicorn

from countersign.retrieval.copies import Copies
from countersign.retrieval.errors import PlaceAway
from countersign.retrieval.mcp_search import McpSearch, McpServer
from countersign.retrieval.page_reader import PageReader
from countersign.retrieval.searched import Searched

FILE = Path(__file__).parent / "mcp_server.py"
TEXT = "Honey bees dance to tell each other where flowers are."
KINDS = ["fetch", "json", "whole", "text"]


def program(kind: str) -> McpSearch:
    return McpSearch(server=McpServer(command=(sys.executable, str(FILE), kind)))


def made(kind: str) -> Any:
    spec = importlib.util.spec_from_file_location("mcp_server", FILE)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.made(kind)


@pytest.fixture
async def address() -> AsyncIterator[Callable[[str], Any]]:
    """Serves a server at an address of this machine, and returns that."""
    running: list[tuple[uvicorn.Server, threading.Thread]] = []

    async def serve(kind: str) -> str:
        listening = socket.create_server(("127.0.0.1", 0))
        app = made(kind).streamable_http_app()
        server = uvicorn.Server(uvicorn.Config(app, log_level="error"))
        # What comes before it is ready waits in the socket.
        thread = threading.Thread(target=server.run, args=([listening],), daemon=True)
        thread.start()
        running.append((server, thread))
        return f"http://127.0.0.1:{listening.getsockname()[1]}/mcp"

    yield serve
    for server, thread in running:
        server.should_exit = True
        await asyncio.to_thread(thread.join)


@pytest.mark.parametrize("kind", KINDS)
async def test_a_program_is_asked_and_its_words_are_kept(
    kind: str, copies: Copies, reader: PageReader
) -> None:
    place = Searched(program(kind), copies, reader)
    [passage] = await place.search("Bees", 8)
    assert passage.text == TEXT
    [copy] = place.copies.values()
    assert (copy.origin.kind, copy.origin.service) == ("service", "the MCP server")
    assert copy.id.startswith("mcp-")
    # Nobody has fetched that address: it is what the server says.
    assert copy.url == (None if kind == "text" else "https://bees.example/dance")


@pytest.mark.parametrize("kind", ["fetch", "text"])
async def test_a_server_at_an_address_is_asked_just_so(
    kind: str, address: Callable[[str], Any]
) -> None:
    search = McpSearch(server=McpServer(url=await address(kind)))
    assert [hit.text for hit in await search.find("Bees", 8)] == [TEXT]
    assert await search.find("quantum", 8) == []


async def test_a_program_is_given_nothing_of_the_apps_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COUNTERSIGN_MODEL_KEY", "secret")
    [hit] = await program("environment").find("Bees", 8)
    assert "PATH" in str(hit.text)
    assert "COUNTERSIGN" not in str(hit.text)


@pytest.mark.parametrize(
    "server",
    [
        McpServer(command=(sys.executable, str(FILE), "fails")),
        McpServer(command=(sys.executable, str(FILE), "none")),  # without the tool
        McpServer(command=(sys.executable, "-c", "print('no MCP')")),
        McpServer(command=("/nowhere/at/all",)),
        McpServer(url="http://127.0.0.1:9/mcp"),
    ],
)
async def test_a_server_that_cannot_be_asked_is_away(server: McpServer) -> None:
    with pytest.raises(PlaceAway):
        await McpSearch(server=server).find("Bees", 8)


async def test_a_program_that_answers_nothing_is_left_in_time() -> None:
    silent = McpServer(command=(sys.executable, "-c", "import time; time.sleep(60)"))
    with pytest.raises(PlaceAway, match="took longer"):
        await McpSearch(server=silent, seconds=0.5).find("Bees", 8)
