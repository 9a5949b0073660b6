from __future__ import annotations

import io
import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from devhost.process import HostFailed, free_port, is_free
from local.backend import AZURE_STORAGE
from local.errors import Missing
from local.func import FuncProcess, find_func, func_environment
from local.func_console import FuncConsole
from local.settings import APP

StandIn = Callable[[str, str], Path]

# What Core Tools do as far as whoever starts them can see: a worker of its own, and the app's HTTP.
VERSION = """
import sys
if sys.argv[1:] == ["--version"]:
    raise SystemExit(print("4.14.0"))
"""
FUNC = (
    VERSION
    + """
import http.server, json, os, subprocess, sys
worker = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
record = {"argv": sys.argv[1:], "env": dict(os.environ), "cwd": os.getcwd(), "worker": worker.pid}
with open(os.environ["RECORD"], "w") as file:
    json.dump(record, file)

class App(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200 if self.path == "/api/health" else 404)
        self.end_headers()

    def log_message(self, *told):
        if os.environ.get("TOLD"):
            print(open(os.environ["TOLD"]).read(), flush=True)

if os.environ.get("DIES"):
    raise SystemExit("Value cannot be null. (Parameter 'provider')")
http.server.HTTPServer(("127.0.0.1", int(sys.argv[3])), App).serve_forever()
"""
)


@pytest.fixture
def record(tmp_path: Path) -> Path:
    return tmp_path / "record.json"


@pytest.fixture
def func(stand_in: StandIn, record: Path, tmp_path: Path) -> Iterator[FuncProcess]:
    stand_in("func", FUNC)
    given = {**os.environ, "RECORD": str(record), "PYTHONPATH": "/elsewhere"}
    environment = func_environment(
        given, storage="UseDevelopmentStorage=true", hub="t1", backend=AZURE_STORAGE
    )
    with (tmp_path / "func.log").open("w") as output:
        process = FuncProcess(port=free_port(), environment=environment, output=output)
        process.start()
        yield process
        process.kill()


def read(record: Path) -> dict[str, Any]:
    return json.loads(record.read_text("utf-8"))


def is_alive(pid: int) -> bool:
    with suppress(ProcessLookupError):
        os.kill(pid, 0)
        # A zombie that nobody waits for has ended too.
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2][:3]
    return False


def test_it_starts_in_the_app_s_folder_and_is_ready_when_the_app_is(
    func: FuncProcess, record: Path
) -> None:
    told = read(record)
    assert told["argv"] == ["start", "--port", str(func.port)]
    assert Path(told["cwd"]).samefile(APP)
    assert func.is_running


def test_its_settings_come_from_the_environment_alone(func: FuncProcess, record: Path) -> None:
    assert func.is_running
    told = read(record)["env"]
    provider = "AzureFunctionsJobHost__extensions__durableTask__storageProvider__"
    assert told[f"{provider}type"] == "AzureStorage"
    assert told[f"{provider}connectionStringName"] == "AzureWebJobsStorage"
    assert told["AzureWebJobsStorage"] == "UseDevelopmentStorage=true"
    assert told["FUNCTIONS_WORKER_RUNTIME"] == "python"
    assert told["TASKHUB_NAME"] == "t1"


def test_its_worker_gets_this_virtual_environment(func: FuncProcess, record: Path) -> None:
    assert func.is_running
    told = read(record)["env"]
    assert told["VIRTUAL_ENV"] == sys.prefix
    assert Path(told["PATH"].split(os.pathsep)[0]).samefile(Path(sys.executable).parent)
    assert "PYTHONPATH" not in told


def ends(pid: int) -> bool:
    deadline = time.monotonic() + 10
    while is_alive(pid):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


@pytest.mark.skipif(sys.platform != "linux", reason="/proc tells whether a process has ended")
def test_a_kill_takes_the_worker_with_it(func: FuncProcess, record: Path) -> None:
    worker = read(record)["worker"]
    assert is_alive(worker)
    func.kill()
    assert not func.is_running
    assert is_free(func.port)
    assert ends(worker)


@pytest.mark.skipif(sys.platform != "linux", reason="/proc tells whether a process has ended")
def test_one_that_fails_to_start_leaves_no_worker_behind(
    stand_in: StandIn, record: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    stand_in("func", FUNC)
    environment = {**os.environ, "RECORD": str(record), "DIES": "yes"}
    with pytest.raises(HostFailed, match="`func start` ended with exit code 1"):
        FuncProcess(port=free_port(), environment=environment).start()
    assert ends(read(record)["worker"])
    assert "Parameter 'provider'" in capfd.readouterr().out


# As `DisplayFunctionsInfo` and `FunctionInstanceLogger` write it, on the side of no terminal.
CALL = """\
[2026-11-30T09:00:00.000Z] Executing 'Functions.get_health' (Reason='This function was \
programmatically called via the host APIs.', Id=1f)
[2026-11-30T09:00:00.004Z] Executed 'Functions.get_health' (Succeeded, Id=1f, Duration=4ms)
"""


def test_the_console_has_no_list_of_functions_and_one_line_for_each_call(
    stand_in: StandIn, record: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    stand_in("func", FUNC)
    told = tmp_path / "told"
    functions = "".join(f"\tfunction_{n}: [GET] http://localhost:1/api/{n}\n\n" for n in range(39))
    told.write_text(f"\nFunctions:\n\n{functions}\x1b[90m{CALL}\x1b[0mA warning: kept\n", "utf-8")
    process = FuncProcess(
        port=free_port(),
        environment={**os.environ, "RECORD": str(record), "TOLD": str(told)},
    )
    process.start()
    process.kill()
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition("] ")[2] for line in lines if "Functions" in line] == [
        "Executed 'Functions.get_health' (Succeeded, Id=1f, Duration=4ms)"
    ]
    assert [line for line in lines if "kept" in line]
    assert len(lines) == 2


def test_a_console_that_cannot_write_a_letter_shows_what_follows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shown = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr("sys.stdout", shown)
    console = FuncConsole()
    console.stream.write("Tidal mills → Plön\nThe next line\n")
    console.close()
    shown.seek(0)
    assert shown.buffer.read() == b"Tidal mills ? Pl?n\nThe next line\n"


def test_it_can_be_started_again_on_the_same_port(func: FuncProcess) -> None:
    first = func.pid
    func.stop()
    func.start()
    assert func.pid != first


def test_one_that_ends_before_it_serves_is_said(stand_in: StandIn) -> None:
    stand_in("func", f"{VERSION}raise SystemExit(3)")
    process = FuncProcess(port=free_port(), environment=os.environ)
    with pytest.raises(HostFailed, match="`func start` ended with exit code 3"):
        process.start()


@pytest.mark.parametrize("version", ["4.0.7030", "4.13.2", "3.9.1", "unknown", ""])
def test_core_tools_that_listen_to_the_network_are_refused(stand_in: StandIn, version: str) -> None:
    stand_in("func", f"print({version!r})")
    with pytest.raises(Missing, match=r"Core Tools 4\.14 or later .*over the network.*npm i -g"):
        find_func()


@pytest.mark.parametrize("version", ["4.14.0", "4.15.1", "5.0.0", "A notice\n4.14.0\n"])
def test_core_tools_that_listen_on_loopback_are_taken(stand_in: StandIn, version: str) -> None:
    program = stand_in("func", f"print({version!r})")
    assert find_func() == str(program)


def test_without_core_tools_it_says_how_to_get_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(Missing, match=r"npm i -g azure-functions-core-tools@4"):
        find_func()
