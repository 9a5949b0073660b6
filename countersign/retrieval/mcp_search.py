"""The search tool of an MCP server, with the official client."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from countersign.approvals.digest import sha256
from countersign.retrieval.errors import PlaceAway
from countersign.retrieval.finder import Hit
from countersign.retrieval.service import text

if TYPE_CHECKING:
    from mcp import Client
    from mcp.types import CallToolResult

LONGEST_SECONDS = 60.0
"""For starting a server, asking it, and fetching what it found."""

FETCH = "fetch"
"""The tool that gives the text of what the search found, where a server has one; with `search` it
is what https://platform.openai.com/docs/mcp asks of servers for research."""


@dataclass(frozen=True, kw_only=True, slots=True)
class McpServer:
    """Which server: one at an address, or a program that is started for each search.

    Attributes:
        url: where it speaks streamable HTTP; nothing for a program.
        command: the program and its arguments; nothing for an address. It gets none of the app's
            environment but what programs need to run.
        token: what it wants as a bearer token, if it does.
        tool: the tool that searches; it takes a `query`.
    """

    url: str = ""
    command: tuple[str, ...] = ()
    token: str = field(default="", repr=False)
    tool: str = "search"


@dataclass(frozen=True, kw_only=True, slots=True)
class McpSearch:
    """A server's search.

    What it finds is `results` with `id`, `title`, `url` and `text`, as structured content or as
    JSON text. What has no text is fetched with the server's tool `fetch`, if it has one, or else
    from its address. Any other text is one source of its own.

    Attributes:
        server: which.
        seconds: how long a search may take.
    """

    server: McpServer
    seconds: float = LONGEST_SECONDS
    name: str = "the MCP server"
    service: str = "the MCP server"
    place: str = "mcp"

    async def find(self, query: str, limit: int) -> list[Hit]:
        """Return the hits of the server's tool; raises PlaceAway."""
        try:
            return await asyncio.wait_for(self._found(query, limit), self.seconds)
        except PlaceAway:
            raise
        except asyncio.TimeoutError as error:
            raise PlaceAway(f"it took longer than {self.seconds:g} seconds") from error
        except Exception as error:  # the client's task groups raise groups of any error
            if away := _inner(error):
                raise away from error
            raise PlaceAway("it cannot be called") from error

    async def _found(self, query: str, limit: int) -> list[Hit]:
        async with self._client() as client:
            said = await client.call_tool(self.server.tool, {"query": query})
            hits = _hits(_checked(said))[:limit]
            tools = {each.name for each in (await client.list_tools()).tools}
            if FETCH not in tools:
                return hits
            return [hit if hit.text else await _fetched(client, hit) for hit in hits]

    @asynccontextmanager
    async def _client(self) -> AsyncIterator[Client]:
        # Imported here because a search that is not turned on needs none of it.
        import httpx2
        from mcp import Client, StdioServerParameters
        from mcp.client.streamable_http import streamable_http_client

        if self.server.command:
            program, *arguments = self.server.command
            async with Client(StdioServerParameters(command=program, args=arguments)) as client:
                yield client
            return
        token = self.server.token
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        async with (
            httpx2.AsyncClient(headers=headers, trust_env=False) as http,
            Client(streamable_http_client(self.server.url, http_client=http)) as client,
        ):
            yield client


async def _fetched(client: Client, hit: Hit) -> Hit:
    said = _checked(await client.call_tool(FETCH, {"id": hit.key}))
    [document, *_] = _objects(said) or [{}]
    return Hit(
        key=hit.key,
        title=text(document, "title") or hit.title,
        address=text(document, "url") or hit.address,
        text=text(document, "text") or None,
    )


def _checked(said: CallToolResult) -> CallToolResult:
    if said.is_error:
        raise PlaceAway("its tool failed")
    return said


def _hits(said: CallToolResult) -> list[Hit]:
    objects = _objects(said)
    listed = next((each["results"] for each in objects if "results" in each), objects)
    if isinstance(listed, list) and listed:
        return [hit for each in listed if isinstance(each, dict) and (hit := _hit(each))]
    if objects:
        return []
    texts = [part for part in _texts(said) if any(map(str.isalnum, part))]
    return [Hit(key=sha256(part.encode()), title="", text=part) for part in texts]


def _hit(said: Mapping[str, Any]) -> Hit | None:
    address = text(said, "url")
    key = text(said, "id") or address
    whole = text(said, "text")
    if not key:
        return None
    return Hit(key=key, title=text(said, "title"), address=address or None, text=whole or None)


def _objects(said: CallToolResult) -> list[dict[str, Any]]:
    """Return the JSON objects of an answer: its structured content, else those in its texts."""
    if isinstance(said.structured_content, dict):
        inner = said.structured_content.get("result")
        if isinstance(inner, list):  # as the library wraps what is no object
            return [each for each in inner if isinstance(each, dict)]
        if not isinstance(inner, str):
            return [said.structured_content]
    objects: list[dict[str, Any]] = []
    for part in _texts(said):
        try:
            value = json.loads(part)
        except (ValueError, RecursionError):
            continue
        objects += [value] if isinstance(value, dict) else []
    return objects


def _texts(said: CallToolResult) -> list[str]:
    return [part.text for part in said.content if part.type == "text"]


def _inner(error: BaseException) -> PlaceAway | None:
    """Return the one of ours in a group of errors, if there is one."""
    if isinstance(error, PlaceAway):
        return error
    for each in getattr(error, "exceptions", ()):
        if found := _inner(each):
            return found
    return None
