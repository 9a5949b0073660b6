from __future__ import annotations

import asyncio

import pytest

from devhost.app import Call
from devhost.connection import Connection
from devhost.errors import WorkerDied, WorkerEnded


@pytest.mark.parametrize("loss", [WorkerDied, WorkerEnded])
async def test_a_call_after_the_end_is_lost_at_once(loss: type[WorkerDied | WorkerEnded]) -> None:
    arrived: asyncio.Future[Connection] = asyncio.get_running_loop().create_future()
    server = await asyncio.start_server(
        lambda reader, writer: arrived.set_result(Connection(reader, writer)), "127.0.0.1", 0
    )
    _, worker = await asyncio.open_connection(*server.sockets[0].getsockname())
    connection = await arrived
    if loss is WorkerEnded:
        connection.close(WorkerEnded)
    worker.close()
    await connection.listen()
    with pytest.raises(loss):
        await asyncio.wait_for(connection.call(Call(function="f")), 5)
    server.close()
