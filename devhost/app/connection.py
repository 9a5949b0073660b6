"""The host's end of the connection to one worker process."""

from __future__ import annotations

import asyncio
import itertools
import socket
from collections.abc import Callable

from devhost.app.calls import Answer, Call
from devhost.errors import CallLost, CallTooLong, WorkerDied
from devhost.worker.wire import Frame, receive


class Connection:
    """Sends calls and matches the answers to them.

    Attributes:
        overdue: Done, with a sentence, as soon as a call has taken longer than it may.
    """

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._numbers = itertools.count(1)
        self._pending: dict[int, asyncio.Future[Answer]] = {}
        self._limits: dict[int, asyncio.TimerHandle] = {}
        self._waiting: dict[int, Call] = {}
        self.overdue: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._loss: Callable[[], CallLost] = WorkerDied
        self._ended = False
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
            CallTooLong: It took longer than it may. The worker is none to rely on then.
            WorkerDied: The worker closed the connection.
            CallLost: What `close` was given.
        """
        if self._ended:
            raise self._loss()
        loop = asyncio.get_running_loop()
        number, answer = next(self._numbers), loop.create_future()
        self._pending[number] = answer
        header = {"id": number, "function": call.function, **call.extra}
        if call.waits_freely:
            header["tell_start"] = True
            self._waiting[number] = call
        else:
            self._limit(number, call)
        self._writer.write(Frame(header, call.body).packed())
        # Should the caller be cancelled, the call goes on all the same, and so does its limit.
        return await answer

    async def listen(self) -> None:
        """Take answers until the connection ends; then all pending calls fail."""
        try:
            while True:
                self._take(await receive(self._reader))
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            self.close()
            self._ended = True
            for number in list(self._pending):
                if answer := self._settle(number):
                    answer.set_exception(self._loss())

    async def drain(self, seconds: float) -> None:
        """Wait until the pending calls have ended, at most some seconds."""
        if self._pending:
            await asyncio.wait(list(self._pending.values()), timeout=seconds)

    def close(self, loss: Callable[[], CallLost] | None = None) -> None:
        """Close the connection, upon which the worker process ends.

        Args:
            loss: Makes what pending calls raise, if it isn't the worker that has closed it.
        """
        self._loss = loss or self._loss
        # An orderly close would wait for a worker that reads no more.
        self._writer.transport.abort()

    def _limit(self, number: int, call: Call) -> None:
        if call.seconds is not None:
            loop = asyncio.get_running_loop()
            self._limits[number] = loop.call_later(call.seconds, self._expire, number, call)

    def _take(self, frame: Frame) -> None:
        header = frame.header
        if header.get("started"):
            if call := self._waiting.pop(header["id"], None):
                self._limit(header["id"], call)
            return
        answer = self._settle(header["id"])
        if answer is not None:
            answer.set_result(
                Answer(
                    body=frame.body,
                    extra=header,
                    error=header.get("error"),
                    stack=header.get("stack", ""),
                )
            )

    def _expire(self, number: int, call: Call) -> None:
        late = CallTooLong(call.seconds or 0.0)
        answer = self._settle(number)
        if answer is not None:
            answer.set_exception(late)
        if not self.overdue.done():
            self.overdue.set_result(f"{call.function} {late}")

    def _settle(self, number: int) -> asyncio.Future[Answer] | None:
        """Forget a call, and return what waits for its answer."""
        self._waiting.pop(number, None)
        if limit := self._limits.pop(number, None):
            limit.cancel()
        answer = self._pending.pop(number, None)
        return None if answer is None or answer.done() else answer
