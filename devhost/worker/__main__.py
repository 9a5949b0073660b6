"""The process that runs the app's code, so that nothing in it can stop the host.

It is started by `devhost.app.launcher`, takes calls over a loopback connection, and ends when that
connection does.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import signal
import socket
import sys
import threading
import traceback
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

from devhost.worker.indexing import Indexed, index
from devhost.worker.invocation import arguments, encode
from devhost.worker.logs import running, show_logs
from devhost.worker.signatures import check, refused_elsewhere
from devhost.worker.wire import Frame, receive_blocking

_THREAD_COUNT = "PYTHON_THREADPOOL_THREAD_COUNT"


class Worker:
    """Runs the calls that the host sends, many at a time.

    As in the Functions worker, all that isn't a coroutine function shares one pool of threads.

    Args:
        wire: The connection to the host.
        loop: Where all coroutine functions run: the SDK's client is bound to one loop.
    """

    def __init__(self, wire: socket.socket, loop: asyncio.AbstractEventLoop) -> None:
        self._wire = wire
        self._loop = loop
        self._functions: dict[str, Indexed] = {}
        self._sending = threading.Lock()
        self._client = os.environ.pop("DEVHOST_CLIENT")
        self._folder = str(Path.cwd())
        self._tasks: set[asyncio.Task[None]] = set()
        self._threads = ThreadPoolExecutor(_thread_count())

    def offer(self, functions: list[Indexed]) -> None:
        """Tell the host which functions there are, upon which it begins to call them."""
        self._functions = {function.name: function for function in functions}
        catalogue = [
            {"name": f.name, "trigger": f.trigger, "bindings": f.bindings, "retry": f.retry}
            for f in functions
        ]
        remarks = refused_elsewhere(functions)
        self._wire.sendall(Frame({"functions": catalogue, "remarks": remarks}).packed())

    def give_up(self) -> NoReturn:
        """Tell the host that the app can't be imported, and end the process."""
        with contextlib.suppress(ConnectionError):
            self._send(Frame({"broken": True}))
        os._exit(1)

    def serve(self, stream: BinaryIO) -> None:
        """Take calls until the host closes the connection; then end the process."""
        try:
            while request := receive_blocking(stream):
                self._start(request)
        except ConnectionError:
            logging.getLogger("devhost.worker").debug("the host is gone")
        finally:
            # Whoever read them may be gone as well.
            with contextlib.suppress(OSError):
                sys.stdout.flush()
                sys.stderr.flush()
            # Threads of the app that block or spin would keep any other way of ending waiting.
            os._exit(0)

    def _start(self, request: Frame) -> None:
        name = request.header["function"]
        function = self._functions.get(name)
        if function is None:
            # Another process had indexed other code.
            self._answer(request, Frame({"error": f"LookupError: the app has no function {name}"}))
        elif function.asynchronous:
            self._loop.call_soon_threadsafe(self._start_task, function, request)
        else:
            self._threads.submit(self._run, function, request)

    def _start_task(self, function: Indexed, request: Frame) -> None:
        task = self._loop.create_task(self._run_async(function, request))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _run(self, function: Indexed, request: Frame) -> None:
        running.set(function.name)
        if request.header.get("tell_start"):
            self._send(Frame({"id": request.header["id"], "started": True}))
        try:
            answer = encode(function, function.run(**self._arguments(function, request)))
        except BaseException as error:  # noqa: BLE001 - whatever user code raises is its answer
            answer = _failure(function, error)
        self._answer(request, answer)

    async def _run_async(self, function: Indexed, request: Frame) -> None:
        running.set(function.name)
        try:
            answer = encode(function, await function.run(**self._arguments(function, request)))
        except BaseException as error:  # noqa: BLE001 - whatever user code raises is its answer
            answer = _failure(function, error)
        self._answer(request, answer)

    def _arguments(self, function: Indexed, request: Frame) -> dict[str, Any]:
        return arguments(function, request, self._client, self._folder)

    def _answer(self, request: Frame, answer: Frame) -> None:
        self._send(Frame({"id": request.header["id"], **answer.header}, answer.body))

    def _send(self, frame: Frame) -> None:
        packed = frame.packed()
        with self._sending:
            self._wire.sendall(packed)


def _thread_count() -> int | None:
    """Return how many threads the app asks for; None leaves it to Python: min(32, cores + 4)."""
    text = os.environ.get(_THREAD_COUNT)
    if not text:
        return None
    # As the Functions worker does, go on without a number that is none.
    try:
        count = int(text)
    except ValueError:
        count = 0
    if count < 1:
        logging.getLogger("devhost.worker").warning("%s must be a number from 1 on", _THREAD_COUNT)
    return count if count > 0 else None


def _failure(function: Indexed, error: BaseException) -> Frame:
    stack = "".join(traceback.format_exception(type(error), error, error.__traceback__))
    # What an orchestrator raises is part of the protocol and shows as its instance's output.
    if function.trigger["type"] != "orchestrationTrigger":
        logging.getLogger("devhost.worker").error("%s failed\n%s", function.name, stack)
    message = str(error) if _is_state(error) else f"{type(error).__name__}: {error}"
    return Frame({"error": message, "stack": stack})


def _is_state(error: BaseException) -> bool:
    return "$OutOfProcData$" in str(error)


def _connect() -> socket.socket:
    port, _, token = os.environ.pop("DEVHOST_WIRE").partition(":")
    wire = socket.create_connection(("127.0.0.1", int(port)))
    wire.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    wire.sendall(Frame({"token": token}).packed())
    return wire


def _index() -> list[Indexed]:
    module = os.environ.get("PYTHON_SCRIPT_FILE_NAME", "function_app.py")
    sys.path.insert(0, str(Path.cwd()))
    return index(module.removesuffix(".py"))


def _outlive_signals() -> None:
    # A signal to the whole process group is the host's to answer; the worker ends with the wire.
    # Unlike SIG_IGN, a handler that does nothing isn't inherited by programs that the app starts.
    for name in ("SIGINT", "SIGTERM", "SIGBREAK"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), lambda *_: None)


def main() -> None:
    """Run the worker; the environment says how to reach the host."""
    _outlive_signals()
    everything = bool(os.environ.pop("DEVHOST_VERBOSE", ""))
    levels = json.loads(os.environ.pop("DEVHOST_LEVELS", "{}"))
    show_logs(Path.cwd(), everything=everything, levels=levels)
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    wire = _connect()
    worker = Worker(wire, loop)
    # Even while the app is imported, the end of the host must end this process.
    threading.Thread(target=worker.serve, args=[wire.makefile("rb")], daemon=True).start()
    try:
        functions = _index()
    except BaseException:  # noqa: BLE001 - whatever the app raises, or exits with, is printed
        traceback.print_exc()
        worker.give_up()
    if faults := check(functions):
        print(*faults, sep="\n", file=sys.stderr, flush=True)
        worker.give_up()
    worker.offer(functions)
    loop.run_forever()


if __name__ == "__main__":
    main()
