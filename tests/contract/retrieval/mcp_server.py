"""A genuine MCP server with the tools that its first argument names, over stdio."""

from __future__ import annotations

import json
import os
import sys
from typing import Any

from mcp.server import MCPServer

BEES = {"id": "bees", "title": "On bees", "url": "https://bees.example/dance"}
TEXT = "Honey bees dance to tell each other where flowers are."


def found(query: str) -> list[dict[str, Any]]:
    return [BEES] if "bees" in query.lower() else []


def search(query: str) -> dict[str, Any]:
    """Search; what is found has to be fetched."""
    return {"results": found(query)}


def search_json(query: str) -> str:
    """Search, and answer with JSON as text."""
    return json.dumps(search(query))


def search_whole(query: str) -> dict[str, Any]:
    """Search; the texts come with what is found."""
    return {"results": [{**each, "text": TEXT} for each in found(query)]}


def search_text(query: str) -> str:
    """Search, and answer in prose."""
    return TEXT if found(query) else ""


def environment(query: str) -> str:
    """Tell what the server was given."""
    return " ".join(sorted(os.environ))


def fails(query: str) -> str:
    """Fail."""
    raise RuntimeError(query)


def fetch(id: str) -> dict[str, str]:
    """Fetch one document."""
    return {**BEES, "id": id, "text": TEXT}


KINDS: dict[str, list[Any]] = {
    "fetch": [search, fetch],
    "json": [search_json, fetch],
    "whole": [search_whole],
    "text": [search_text],
    "environment": [environment],
    "fails": [fails],
    "none": [],
}


def made(kind: str) -> MCPServer:
    """A server that answers in one of the ways that there are."""
    server = MCPServer("library")
    for tool in KINDS[kind]:
        server.add_tool(tool, name="fetch" if tool is fetch else "search")
    return server


if __name__ == "__main__":
    made(sys.argv[1]).run()
