"""The app on a host of its own, driven from outside as its users do."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import httpx

from devhost.identity.tokens import Tokens
from devhost.process import HostProcess, ServerProcess, free_port
from devhost.state.folder import DataFolder
from devhost.time.clock import SystemClock
from devhost.time.virtual_clock import kept_time
from local.settings import complete
from testbed import described
from testbed.pauses import pauses
from testbed.signing import lend_key

ROOT = Path(__file__).parents[3]
MASTER_KEY = "bed" * 14
"""What the Functions host asks for where it and the durable extension are managed; Core Tools and
the local host let everybody in."""


class Host:
    """The app on the local host, in a process of its own that can be killed and started again.

    Args:
        data: The folder of its state, and of the app's.
        app: The app's folder.
        clock: `virtual` for a time that only moves by `advance`.
        options: More options of `devhost start`.
        reload: Whether it follows changes of the source, as it does in a terminal.
        settings: More of the app's settings.

    Attributes:
        fair: Whether everything comes once, in order and in time there.
    """

    patience = 60.0
    nudge_seconds = 1.0
    # In bad weather everything on the way takes real time.
    advance_patience = 150.0

    def __init__(
        self,
        data: Path,
        *,
        app: Path = ROOT,
        clock: str = "system",
        options: Sequence[str] = (),
        reload: bool = False,
        **settings: str,
    ) -> None:
        data.mkdir(parents=True, exist_ok=True)
        lend_key(data)
        self.data, self.log, self._app = data, data / "host.log", app
        self.fair, self._virtual = "--weather" not in options, clock == "virtual"
        self._output = self.log.open("a", encoding="utf-8")
        options = ["--clock", clock, "--reload" if reload else "--no-reload", *options]
        self.process = self._new_process(app, options, settings)
        self.url = self.process.url
        self.tokens: dict[tuple[str, ...], str] = {}
        # As the host's own sign-in issues them: both read one key.
        self._issued = Tokens(data, self._now)
        # Making a client takes longer than most requests.
        self.http = httpx.Client(timeout=30, trust_env=False)

    def _new_process(
        self, app: Path, options: Sequence[str], settings: dict[str, str]
    ) -> ServerProcess:
        return HostProcess(
            app=app,
            data=self.data,
            port=(port := free_port()),
            environment=environment(port, self.data, settings),
            output=self._output,
            options=["--no-local-settings", *options],
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
        wish = {"seconds": seconds, "patience": self.advance_patience}
        timeout = 10 + self.advance_patience
        path = f"{self.url}/devhost/clock/advance"
        answer = self.http.post(path, json=wish, timeout=timeout)
        assert answer.status_code == 200, answer.text
        assert answer.json()["settled"], self._last_lines()

    def token(
        self,
        name: str,
        *roles: str,
        tenant: str = "home",
        lifetime: float = 43200.0,
        program: bool = False,
    ) -> str:
        """A development token that is good for `lifetime` seconds, a person's or a program's."""
        key = (name, tenant, str(lifetime), str(program), *roles)
        if key not in self.tokens:
            self.tokens[key] = self._issued.token(
                name=name, roles=roles, tenant=tenant, lifetime=lifetime, program=program
            )
        return self.tokens[key]

    def call(
        self, method: str, path: str, token: str | None = None, **request: Any
    ) -> httpx.Response:
        """Send one request to the API; `path` follows `/api/`. What it answers is as described.

        An answer of 500 fails the test: the app has words of its own for all that can happen to it.
        """
        headers = dict(request.pop("headers", {}))
        if token:
            headers["Authorization"] = f"Bearer {token}"
        url = f"{self.url}/api/{path}"
        answer = self.http.request(method, url, headers=headers, **request)
        assert answer.status_code != 500, f"{method} {path}: {answer.text}\n{self._last_lines()}"
        if self._app == ROOT:
            described.check(method, path, answer)
        return answer

    def manage(self, method: str, path: str, **request: Any) -> httpx.Response:
        """Call the durable extension's own API, as only a holder of the host's key can in Azure."""
        return self._with_key(method, f"runtime/webhooks/durabletask/{path}", **request)

    def instance(self, instance: str, *, history: bool = False) -> dict[str, Any]:
        """The status of an instance, as soon as it can be seen.

        The instance of a new version takes a moment until then on Azure Storage.
        """
        path = f"instances/{instance}?showHistory={str(history).lower()}"

        def shown() -> dict[str, Any] | None:
            answer = self.manage("GET", path)
            assert answer.status_code in {200, 202, 404}
            return answer.json() if answer.status_code != 404 else None

        return self.until(shown, f"{instance} can be seen")

    def terminate(self, instance: str) -> None:
        """End an instance, as soon as it can be seen."""
        path = f"instances/{instance}/terminate?reason=test"
        self.until(lambda: self.manage("POST", path).is_success, f"{instance} is ended")

    def purge(self, instance: str) -> None:
        """Remove an instance that ends, as soon as it can be seen."""
        path = f"instances/{instance}"
        self.until(lambda: self.manage("DELETE", path).is_success, f"{instance} is gone")

    def reconcile(self) -> None:
        """Run the reconciler now, as its timer would within a minute."""
        answer = self._with_key("POST", "admin/functions/reconcile", json={"input": ""})
        assert answer.status_code == 202, answer.text

    def until(self, holds: Callable[[], Any], what: str) -> Any:
        """Wait for a condition and return its value; the host's log comes with a failure.

        In bad weather rings get lost and timers fire a little before or after their time. So some
        time is let pass there, and the reconciler is run, as it would be anyway, only later.
        """
        deadline = time.monotonic() + self.patience
        nudge = time.monotonic() + self.nudge_seconds
        for pause in pauses():
            if time.monotonic() > deadline or not self.process.is_running:
                break
            try:
                if value := holds():
                    return value
                if not self.fair and time.monotonic() > nudge:
                    self._nudge()
                    nudge = time.monotonic() + self.nudge_seconds
            except httpx.TransportError:
                pass
            time.sleep(pause)
        raise AssertionError(f"not so: {what}\n{self._last_lines()}")

    def _last_lines(self) -> str:
        return self.log.read_text(errors="replace")[-6000:]

    def _now(self) -> datetime:
        return kept_time(DataFolder(self.data).clock) or SystemClock().now()

    def _with_key(self, method: str, path: str, **request: Any) -> httpx.Response:
        headers = {"x-functions-key": MASTER_KEY, **request.pop("headers", {})}
        return self.http.request(method, f"{self.url}/{path}", headers=headers, **request)

    def _nudge(self) -> None:
        if self._virtual:
            self.advance(1)
        self.reconcile()


def environment(
    port: int, data: Path, settings: dict[str, str], *, signin: int | None = None
) -> dict[str, str]:
    """What a host's process gets: nothing of the app's settings from whoever runs the tests.

    `signin` is the port of the sign-in, where that is not the host's.
    """
    foreign = {key: value for key, value in os.environ.items() if "COUNTERSIGN" not in key}
    given = {
        "PYTHONPATH": str(ROOT),
        "COUNTERSIGN_RECONCILE_AFTER_SECONDS": "0.2",
        "COUNTERSIGN_SHORTEST_WINDOW_SECONDS": "1",
        "COUNTERSIGN_OPEN_REQUESTS": "unlimited",
        "COUNTERSIGN_TOKENS_PER_DAY": "unlimited",
        **settings,
    }
    return complete({**foreign, **given}, port=port, data=data, signin=signin)
