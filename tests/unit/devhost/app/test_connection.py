from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from devhost.app.calls import Call
from devhost.app.connection import Connection
from devhost.errors import CallTooLong, WorkerDied, WorkerEnded
from devhost.worker.wire import Frame, receive


@asynccontextmanager
async def connected() -> AsyncIterator[
    tuple[Connection, asyncio.StreamReader, asyncio.StreamWriter]
]:
    """The host's end of a connection, and what a worker reads from and writes to."""
    arrived: asyncio.Future[Connection] = asyncio.get_running_loop().create_future()
    server = await asyncio.start_server(
        lambda reader, writer: arrived.set_result(Connection(reader, writer)), "127.0.0.1", 0
    )
    reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
    yield await arrived, reader, writer
    writer.close()
    server.close()


@pytest.mark.parametrize("loss", [WorkerDied, WorkerEnded])
async def test_a_call_after_the_end_is_lost_at_once(loss: type[WorkerDied | WorkerEnded]) -> None:
    async with connected() as (connection, _, worker):
        if loss is WorkerEnded:
            connection.close(WorkerEnded)
        worker.close()
        await connection.listen()
        with pytest.raises(loss):
            await asyncio.wait_for(connection.call(Call(function="f")), 5)


async def test_a_call_that_waits_for_a_thread_takes_no_time_until_it_starts() -> None:
    async with connected() as (connection, calls, worker):
        listening = asyncio.create_task(connection.listen())
        waiting = Call(function="waiting", seconds=0, waits_freely=True)
        asked = asyncio.create_task(connection.call(waiting))
        number = (await receive(calls)).header["id"]
        with pytest.raises(CallTooLong):
            await asyncio.wait_for(connection.call(Call(function="other", seconds=0)), 5)
        assert not asked.done()
        worker.write(Frame({"id": number, "started": True}).packed())
        with pytest.raises(CallTooLong):
            await asyncio.wait_for(asked, 5)
        worker.close()
        await listening
