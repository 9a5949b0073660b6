"""The host's end of the connection to one worker process."""

from __future__ import annotations

import asyncio
import itertools
import socket

from devhost.app import Answer, Call
from devhost.errors import CallLost, CallTooLong, WorkerDied, WorkerEnded
from devhost.wire import Frame, receive


class Connection:
    """Sends calls and matches the answers to them."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._numbers = itertools.count(1)
        self._pending: dict[int, asyncio.Future[Answer]] = {}
        self._loss: type[CallLost] = WorkerDied
        wire = writer.get_extra_info("socket")
        wire.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    async def index(self) -> Frame | None:
        """Return the worker's account of the app, or None if it ended before giving it."""
        try:
            return await receive(self._reader)
        except (asyncio.IncompleteReadError, ConnectionError):
            return None

    async def call(self, call: Call) -> Answer:
        """Send a call and wait for its answer.

        Raises:
            CallTooLong: It took longer than it may; the connection is closed then.
            WorkerDied: The worker closed the connection.
            WorkerEnded: The connection was closed because of another call.
        """
        loop = asyncio.get_running_loop()
        number, answer = next(self._numbers), loop.create_future()
        self._pending[number] = answer
        header = {"id": number, "function": call.function, **call.extra}
        self._writer.write(Frame(header, call.body).packed())
        limit = None
        if call.seconds is not None:
            limit = loop.call_later(call.seconds, self._expire, number, call.seconds)
        try:
            return await answer
        finally:
            self._pending.pop(number, None)
            if limit:
                limit.cancel()

    async def listen(self) -> None:
        """Take answers until the connection ends; then all pending calls fail."""
        try:
            while True:
                self._take(await receive(self._reader))
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            self.close()
            for answer in self._pending.values():
                if not answer.done():
                    answer.set_exception(self._loss())

    def close(self) -> None:
        """Close the connection, upon which the worker process ends."""
        # An orderly close would wait for a worker that reads no more.
        self._writer.transport.abort()

    def _take(self, frame: Frame) -> None:
        answer = self._pending.get(frame.header["id"])
        if answer is not None and not answer.done():
            header = frame.header
            answer.set_result(
                Answer(
                    body=frame.body,
                    extra=header,
                    error=header.get("error"),
                    stack=header.get("stack", ""),
                )
            )

    def _expire(self, number: int, seconds: float) -> None:
        answer = self._pending[number]
        if not answer.done():
            answer.set_exception(CallTooLong(seconds))
            self._loss = WorkerEnded
            self.close()
