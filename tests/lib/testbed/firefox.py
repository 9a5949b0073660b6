"""A Firefox that is on this machine, driven by WebDriver BiDi, which it speaks by itself.

The protocol: https://w3c.github.io/webdriver-bidi/. Playwright drives builds of its own only.
"""

from __future__ import annotations

import asyncio
import json
import shutil
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from itertools import count
from typing import Any, TypeVar

import aiohttp

from devhost.process import free_port
from local.errors import Missing

_PROGRAMS = ("firefox-esr", "firefox")
_MOST_LOOKS = 1200
_PAUSE = 0.1

Found = TypeVar("Found")


def find_firefox() -> str:
    """Return the path of a Firefox.

    Raises:
        Missing: there is none.
    """
    found = next(filter(None, map(shutil.which, _PROGRAMS)), None)
    if not found:
        raise Missing("No Firefox is installed: on Debian `apt install firefox-esr`.")
    return found


class Firefox:
    """One tab of a Firefox."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse[Any]) -> None:
        self._socket = socket
        self._numbers = count(1)
        self._tab = ""

    async def begin(self) -> None:
        """Open the session and take its tab."""
        await self._call("session.new", capabilities={})
        tree = await self._call("browsingContext.getTree")
        self._tab = tree["contexts"][0]["context"]

    async def open(self, url: str) -> None:
        """Load a page."""
        await self._call("browsingContext.navigate", context=self._tab, url=url, wait="complete")

    async def click(self, role: str, name: str) -> None:
        """Click on what has this role and name, as soon as it is there."""
        locator = {"type": "accessibility", "value": {"role": role, "name": name}}

        async def found() -> list[dict[str, Any]]:
            answer = await self._call(
                "browsingContext.locateNodes", context=self._tab, locator=locator
            )
            return answer["nodes"]

        [node, *_] = await _until(found, f"there is a {role} {name!r}")
        element = {"type": "element", "element": {"sharedId": node["sharedId"]}}
        move = {"type": "pointerMove", "x": 0, "y": 0, "origin": element}
        press = [{"type": each, "button": 0} for each in ("pointerDown", "pointerUp")]
        mouse = {"type": "pointer", "id": "mouse", "actions": [move, *press]}
        await self._call("input.performActions", context=self._tab, actions=[mouse])

    async def until_shown(self, words: str) -> None:
        """Wait until the page has these words."""

        async def shown() -> bool:
            return words in await self.value("document.body?.innerText ?? ''")

        await _until(shown, f"the page says {words!r}")

    async def value(self, expression: str) -> Any:
        """Return what an expression of the page's own script comes to, by way of JSON."""
        answer = await self._call(
            "script.evaluate",
            expression=f"JSON.stringify({expression})",
            target={"context": self._tab},
            awaitPromise=False,
        )
        return json.loads(answer["result"]["value"])

    async def _call(self, method: str, **params: Any) -> dict[str, Any]:
        number = next(self._numbers)
        await self._socket.send_json({"id": number, "method": method, "params": params})
        while (answer := await self._socket.receive_json()).get("id") != number:
            pass
        if answer["type"] == "error":
            raise RuntimeError(f"{method}: {answer['error']}: {answer['message']}")
        return answer["result"]


@asynccontextmanager
async def firefox() -> AsyncIterator[Firefox]:
    """Run a Firefox with a profile of its own."""
    port = free_port()
    async with AsyncExitStack() as stack:
        # It may still write to its profile while it ends.
        folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        profile = stack.enter_context(folder)
        process = await asyncio.create_subprocess_exec(
            *(find_firefox(), "--headless", "--no-remote", "--profile", profile),
            *(f"--remote-debugging-port={port}", "about:blank"),
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
        )
        stack.push_async_callback(process.wait)
        stack.callback(process.kill)
        client = await stack.enter_async_context(aiohttp.ClientSession())

        async def connected() -> aiohttp.ClientWebSocketResponse[Any] | None:
            try:
                return await client.ws_connect(f"ws://127.0.0.1:{port}/session", max_msg_size=0)
            except aiohttp.ClientConnectionError:
                return None

        socket = await _until(connected, "Firefox listens")
        stack.push_async_callback(socket.close)
        browser = Firefox(socket)
        await browser.begin()
        yield browser


async def _until(look: Callable[[], Awaitable[Found | None]], what: str) -> Found:
    """Look until there is something; returns that.

    Raises:
        TimeoutError: there comes to be nothing.
    """
    for _ in range(_MOST_LOOKS):
        if found := await look():
            return found
        await asyncio.sleep(_PAUSE)
    raise TimeoutError(f"it never came about that {what}")
