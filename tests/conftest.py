"""A running host for the tests that need one, driven from outside as its users do.

By default it is the local development host; with `--host func` the same tests run against the
Functions host of Azure Functions Core Tools, with Azurite beside it.
"""

from __future__ import annotations

import functools
import os
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

import httpx
import pytest

from devhost.process import HostProcess, ServerProcess, free_port
from local.azurite import Azurite
from local.backend import AZURE_STORAGE
from local.errors import Missing
from local.func import FuncProcess, find_func, func_environment
from local.issuer import IssuerProcess
from local.node import find_node
from local.settings import complete

ROOT = Path(__file__).parent.parent
DEVHOST_TESTS = Path(__file__).parent / "e2e" / "devhost"
FUNC_TIMEOUT_SECONDS = 900


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--host",
        choices=("devhost", "func"),
        default="devhost",
        help="what runs the app: the local development host, or Azure Functions Core Tools",
    )


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers", "devhost_only(reason): needs what only the local development host has"
    )
    if config.getoption("--host") == "func":
        try:
            find_func()
            find_node()
        except Missing as missing:
            raise pytest.UsageError(str(missing)) from None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """With `--host func`, leave what needs no host, and skip what needs the other one."""
    if config.getoption("--host") == "devhost":
        return
    needing = [item for item in items if needs_host(item)]
    config.hook.pytest_deselected(items=[item for item in items if item not in needing])
    items[:] = needing
    for item in items:
        item.add_marker(pytest.mark.timeout(FUNC_TIMEOUT_SECONDS))
        mark = item.get_closest_marker("devhost_only")
        if mark:
            item.add_marker(pytest.mark.skip(reason=f"only devhost: {mark.args[0]}"))
        elif DEVHOST_TESTS in item.path.parents:
            item.add_marker(pytest.mark.skip(reason="only devhost: it is what is tested here"))


def needs_host(item: pytest.Item) -> bool:
    names = item.fixturenames if isinstance(item, pytest.Function) else ()
    return "new_host" in names or DEVHOST_TESTS in item.path.parents


class Host:
    """The app on the local host, in a process of its own that can be killed and started again.

    Args:
        data: The folder of its state, and of the app's.
        app: The app's folder.
        clock: `virtual` for a time that only moves by `advance`.
        settings: More of the app's settings.
    """

    patience = 60.0

    def __init__(
        self, data: Path, *, app: Path = ROOT, clock: str = "system", **settings: str
    ) -> None:
        data.mkdir(parents=True, exist_ok=True)
        self.data, self.log = data, data / "host.log"
        self._output = self.log.open("a", encoding="utf-8")
        self.process = self._new_process(app, clock, settings)
        self.url = self.process.url
        self.tokens: dict[tuple[str, ...], str] = {}
        # Making a client takes longer than most requests.
        self.http = httpx.Client(timeout=30, trust_env=False)

    def _new_process(self, app: Path, clock: str, settings: dict[str, str]) -> ServerProcess:
        return HostProcess(
            app=app,
            data=self.data,
            port=(port := free_port()),
            environment=environment(port, self.data, settings),
            output=self._output,
            options=["--clock", clock],
        )

    def start(self) -> Host:
        """Start it and wait until it serves."""
        self.process.start()
        return self

    def restart(self) -> Host:
        """Kill it as a power cut would, and start it again on the same data."""
        self.process.kill()
        return self.start()

    def close(self) -> None:
        """End it and what this side of it holds."""
        self.http.close()
        self.process.kill()
        self._output.close()

    def advance(self, seconds: float) -> None:
        """Move the virtual clock on, and wait until all that follows has happened."""
        answer = self.http.post(f"{self.url}/devhost/clock/advance", json={"seconds": seconds})
        assert answer.status_code == 200, answer.text
        assert answer.json()["settled"], self.log.read_text(errors="replace")[-6000:]

    def token(self, name: str, *roles: str, tenant: str = "home", lifetime: float = 43200.0) -> str:
        """A development token that is good for `lifetime` seconds."""
        key = (name, tenant, str(lifetime), *roles)
        if key not in self.tokens:
            command = [sys.executable, "-m", "devhost", "token", "--data", str(self.data)]
            command += ["--as", name, "--tenant", tenant, "--lifetime", str(lifetime)]
            for role in roles:
                command += ["--role", role]
            done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
            self.tokens[key] = done.stdout.strip()
        return self.tokens[key]

    def call(
        self, method: str, path: str, token: str | None = None, **request: Any
    ) -> httpx.Response:
        """Send one request to the API; `path` follows `/api/`."""
        headers = dict(request.pop("headers", {}))
        if token:
            headers["Authorization"] = f"Bearer {token}"
        url = f"{self.url}/api/{path}"
        return self.http.request(method, url, headers=headers, **request)

    def until(self, holds: Callable[[], Any], what: str) -> Any:
        """Wait for a condition and return its value; the host's log comes with a failure."""
        deadline = time.monotonic() + self.patience
        while time.monotonic() < deadline:
            if not self.process.is_running:
                break
            try:
                if value := holds():
                    return value
            except httpx.TransportError:
                pass
            time.sleep(0.02)
        raise AssertionError(f"not so: {what}\n{self.log.read_text(errors='replace')[-6000:]}")


def environment(port: int, data: Path, settings: dict[str, str]) -> dict[str, str]:
    """What a host's process gets: nothing of the app's settings from whoever runs the tests.

    `port` is the one of the issuer of the tokens.
    """
    foreign = {key: value for key, value in os.environ.items() if "COUNTERSIGN" not in key}
    given = {
        "PYTHONPATH": str(ROOT),
        "COUNTERSIGN_RECONCILE_AFTER_SECONDS": "0.2",
        # A local.settings.json may say something else.
        "COUNTERSIGN_MODEL_PROVIDER": "extractive",
        "COUNTERSIGN_STORAGE": "",
        **settings,
    }
    return complete({**foreign, **given}, port=port, data=data)


class FuncHost(Host):
    """The app under `func start`, with a task hub and a sign-in of its own.

    Args:
        data: The folder of the app's state and of the sign-in's key.
        storage: The connection string of the storage account that keeps the orchestrations.
        more: What `Host` takes besides; the test is skipped if that can't be had here.
    """

    patience = 240.0

    def __init__(self, data: Path, *, storage: str, **more: Any) -> None:
        if more.get("app", ROOT) != ROOT:
            pytest.skip("only devhost: it runs an app of the test's own")
        if more.get("clock", "system") != "system":
            pytest.skip("only devhost: it has a virtual clock")
        self._storage = storage
        super().__init__(data, **more)

    def _new_process(self, app: Path, clock: str, settings: dict[str, str]) -> ServerProcess:
        self._signin = IssuerProcess(data=self.data, port=free_port(), output=self._output)
        self._signin.start()
        hub = f"t{uuid.uuid4().hex[:20]}"
        given = environment(self._signin.port, self.data, settings)
        # Hosts of one name would share keys, and take turns with their timers.
        given["AzureFunctionsWebHost__hostid"] = hub
        return FuncProcess(
            port=free_port(),
            environment=func_environment(
                given, storage=self._storage, hub=hub, backend=AZURE_STORAGE
            ),
            output=self._output,
        )

    def close(self) -> None:
        super().close()
        self._signin.kill()


class Desk:
    """What the people of one tenant do at a host."""

    TOPIC = "How durable execution survives crashes"

    def __init__(self, host: Host, tenant: str = "home", lifetime: float = 43200.0) -> None:
        self.host, self.tenant = host, tenant
        more: dict[str, Any] = {"tenant": tenant, "lifetime": lifetime}
        self.requester = host.token("Rita", "Research.Requester", **more)
        self.reviewer = host.token("Victor", "Report.Reviewer", **more)
        self.second = host.token("Wanda", "Report.Reviewer", **more)
        self.escalation = host.token("Edith", "Report.Escalation", **more)

    def ask(self, topic: str = TOPIC, **body: Any) -> str:
        """Ask for a report; returns the operation's id."""
        answer = self.host.call(
            "POST", "research", self.requester, json={"topic": topic, "subtopics": [topic], **body}
        )
        assert answer.status_code == 202, answer.text
        return answer.json()["operation_id"]

    def operation(self, operation_id: str) -> dict[str, Any]:
        """The operation as its requester sees it."""
        answer = self.host.call("GET", f"operations/{operation_id}", self.requester)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def until_state(self, operation_id: str, *states: str) -> dict[str, Any]:
        """Wait until the operation is in one of these states."""

        def reached() -> dict[str, Any] | None:
            operation = self.operation(operation_id)
            return operation if operation["state"] in states else None

        return self.host.until(reached, f"{operation_id} is {' or '.join(states)}")

    def until_version(self, operation_id: str, version: int = 1) -> dict[str, Any]:
        """Wait until this version waits for a decision; returns its summary."""

        def opened() -> dict[str, Any] | None:
            proposal = self.operation(operation_id)["proposal"]
            return proposal if proposal and proposal["version"] == version else None

        return self.host.until(opened, f"version {version} of {operation_id} is open")

    def decide(
        self,
        operation_id: str,
        proposal: dict[str, Any],
        decision: str = "approve",
        *,
        token: str | None = None,
        **body: Any,
    ) -> httpx.Response:
        """Send a decision about a version as shown."""
        return self.host.call(
            "POST",
            f"operations/{operation_id}/proposals/{proposal['version']}/decision",
            token or self.reviewer,
            json={"decision": decision, "digest": proposal["digest"], **body},
        )

    def history(self, operation_id: str) -> list[dict[str, Any]]:
        """The events of the operation's ledger, whose chain must be intact."""
        answer = self.host.call("GET", f"operations/{operation_id}/history", self.requester).json()
        assert answer["chain"] == "intact"
        return answer["events"]

    def reconcile(self) -> None:
        """Run the reconciler now, as its timer would within a minute."""
        answer = httpx.post(f"{self.host.url}/admin/functions/reconcile", json={"input": ""})
        assert answer.status_code == 202, answer.text


@pytest.fixture(scope="session")
def azurite(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The connection string of an Azurite that all tests of a process share."""
    server = Azurite(tmp_path_factory.mktemp("azurite"))
    try:
        server.start()
    except Missing as missing:
        if os.environ.get("COUNTERSIGN_REQUIRE_AZURITE"):
            raise
        pytest.skip(str(missing))
    yield server.connection_string
    server.stop()


@pytest.fixture(scope="session")
def new_host(request: pytest.FixtureRequest) -> Callable[..., Host]:
    """What makes a host of the kind that `--host` names."""
    if request.config.getoption("--host") == "devhost":
        return Host
    return functools.partial(FuncHost, storage=request.getfixturevalue("azurite"))


@pytest.fixture(scope="session")
def shared_host(
    new_host: Callable[..., Host], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Host]:
    """One host for all tests that don't kill it or need settings of their own."""
    host = new_host(tmp_path_factory.mktemp("host") / "data").start()
    yield host
    host.close()


@pytest.fixture(scope="session")
def desk(shared_host: Host) -> Desk:
    """The people of one tenant at the shared host."""
    return Desk(shared_host)


@pytest.fixture(scope="session")
def virtual_desk(
    new_host: Callable[..., Host], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Desk]:
    """People at a host whose time only moves by `advance`; their tokens are good for weeks."""
    host = new_host(tmp_path_factory.mktemp("virtual") / "data", clock="virtual").start()
    yield Desk(host, lifetime=50 * 86400.0)
    host.close()


@pytest.fixture
def make_host(new_host: Callable[..., Host], tmp_path: Path) -> Iterator[Callable[..., Host]]:
    """Makes hosts of a test's own, with settings of its own; they end with the test."""
    hosts: list[Host] = []

    def make(*, app: Path = ROOT, clock: str = "system", **settings: str) -> Host:
        hosts.append(new_host(tmp_path / f"data-{len(hosts)}", app=app, clock=clock, **settings))
        return hosts[-1]

    yield make
    for host in hosts:
        host.close()


@pytest.fixture
def desk_at() -> Callable[..., Desk]:
    """Makes the people of a tenant at a host."""
    return Desk


@pytest.fixture(scope="session")
def pdf() -> Callable[..., bytes]:
    """Makes PDFs (ISO 32000-1) with a line of text on each page."""

    def make(*pages: str) -> bytes:
        places = [4 + 2 * number for number in range(len(pages))]
        kids = " ".join(f"{place} 0 R" for place in places)
        objects = [
            "<</Type/Catalog/Pages 2 0 R>>",
            f"<</Type/Pages/Kids[{kids}]/Count {len(pages)}>>",
            "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
        ]
        for place, text in zip(places, pages, strict=True):
            drawn = f"BT /F1 12 Tf 72 720 Td ({text}) Tj ET"
            objects += [
                f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents {place + 1} 0 R"
                "/Resources<</Font<</F1 3 0 R>>>>>>",
                f"<</Length {len(drawn)}>>stream\n{drawn}\nendstream",
            ]
        made, offsets = b"%PDF-1.4\n", []
        for number, each in enumerate(objects, start=1):
            offsets.append(len(made))
            made += f"{number} 0 obj {each} endobj\n".encode("latin-1")
        table = "".join(f"{offset:010} 00000 n \n" for offset in offsets)
        size = len(objects) + 1
        end = f"xref\n0 {size}\n0000000000 65535 f \n{table}trailer<</Size {size}/Root 1 0 R>>\n"
        return made + f"{end}startxref\n{len(made)}\n%%EOF".encode()

    return make


@pytest.fixture(scope="session")
def docx() -> Callable[..., bytes]:
    """Makes Word documents (ECMA-376) of a body in WordprocessingML, with other parts besides."""
    office = "http://schemas.openxmlformats.org"
    document = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
    types = (
        f'<Types xmlns="{office}/package/2006/content-types">'
        '<Default Extension="rels"'
        ' ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/word/document.xml" ContentType="{document}"/></Types>'
    )
    relations = (
        f'<Relationships xmlns="{office}/package/2006/relationships"><Relationship Id="r1"'
        f' Type="{office}/officeDocument/2006/relationships/officeDocument"'
        ' Target="word/document.xml"/></Relationships>'
    )

    def make(body: str, method: int = ZIP_DEFLATED, **parts: bytes) -> bytes:
        file = BytesIO()
        with ZipFile(file, "w", method) as packed:
            packed.writestr("[Content_Types].xml", types)
            packed.writestr("_rels/.rels", relations)
            space = f'xmlns:w="{office}/wordprocessingml/2006/main"'
            content = f"<w:document {space}><w:body>{body}</w:body></w:document>"
            packed.writestr("word/document.xml", content)
            for name, part in parts.items():
                packed.writestr(name, part)
        return file.getvalue()

    return make
