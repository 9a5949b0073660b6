"""People who work at a host that keeps dying on them."""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import httpx
import pytest

from devhost.process import HostFailed
from testbed.desk import Desk

T = TypeVar("T")

APP = Path(__file__).parent / "app"

SIDE_BY_SIDE = 5
"""How many stories are told at once: so many places the machine dies at each time."""

PATIENCE_SECONDS = 600.0
"""For one step in which the host may die dozens of times, on a machine that has more to do."""


class Mortals:
    """A requester and reviewers who try again for as long as the host keeps dying on them.

    Args:
        desk: Where they work.
        places: The file of the places where the host died.
        power_cut: What else happens when it died at these places, before it is started again.
    """

    def __init__(
        self, desk: Desk, places: Path, power_cut: Callable[[list[str]], None] = lambda places: None
    ) -> None:
        self.desk, self.host, self.deaths = desk, desk.host, 0
        self._places, self._power_cut = places, power_cut
        self._known = 0
        self._reviving = threading.Lock()

    def tell(self, story: Callable[[int], T]) -> list[T]:
        """Tell a story several times at once; returns what came of each."""
        with ThreadPoolExecutor(SIDE_BY_SIDE) as people:
            return list(people.map(story, range(SIDE_BY_SIDE)))

    def places(self) -> list[str]:
        """Where the host died so far."""
        return self._places.read_text("utf-8").splitlines() if self._places.exists() else []

    def diary(self) -> list[tuple[str, str, str]]:
        """What was called and stored, as `what`, `operation` and `step`."""
        lines = self._places.with_name("diary").read_text("utf-8").splitlines()
        return [tuple(line.split(" ", 2)) for line in lines]  # pyright: ignore[reportReturnType]

    def assert_died_once_at_each_place(self, *, more_than: int) -> None:
        """See that there were many places, and that all deaths were meant."""
        places = self.places()
        print(f"{len(places)} places, {self.deaths} deaths")  # noqa: T201 - for -rA
        assert len(places) == len(set(places)) > more_than
        assert 1 <= self.deaths <= len(places)

    def persist(self, attempt: Callable[[], Any], what: str) -> Any:
        """Repeat an attempt until it yields something; a dead host is started again."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < deadline:
            try:
                self._revive()
                if value := attempt():
                    return value
            except httpx.TransportError:
                pass
            time.sleep(0.05)
        raise AssertionError(f"not so: {what}\n{self.host.log.read_text()[-6000:]}")

    def _revive(self) -> None:
        """Start the host again until it lives, and run the reconciler as its timer would."""
        with self._reviving:
            while not self.host.process.is_running:
                self.deaths += 1
                self.host.log.write_text("")
                places = self.places()
                self._power_cut(places[self._known :])
                self._known = len(places)
                # What it was doing goes on at once, so it may die again before it says that it
                # serves.
                with suppress(HostFailed):
                    self.host.start()
                    self.desk.reconcile()

    def ask(self, path: str, body: dict[str, Any], key: str) -> str:
        """Have a request accepted; the key makes trying again safe."""
        headers = {"Idempotency-Key": key}

        def accepted() -> str | None:
            answer = self.host.call("POST", path, self.desk.requester, json=body, headers=headers)
            return answer.json()["operation_id"] if answer.status_code in {200, 202} else None

        return self.persist(accepted, "the request is accepted")

    def version(self, operation: str, number: int) -> dict[str, Any]:
        """Wait for a version."""

        def opened() -> dict[str, Any] | None:
            proposal = self.desk.operation(operation)["proposal"]
            return proposal if proposal and proposal["version"] == number else None

        return self.persist(opened, f"version {number} is open")

    def shown(self, operation: str, number: int) -> dict[str, Any]:
        """All of a version."""
        path = f"operations/{operation}/proposals/{number}"
        return self.persist(
            lambda: self.host.call("GET", path, self.desk.reviewer).json(), "it can be read"
        )

    def decide(self, operation: str, number: int, decision: str, **more: Any) -> dict[str, Any]:
        """Have a decision recorded; returns its receipt."""
        proposal = self.version(operation, number)

        def recorded() -> dict[str, Any] | None:
            answer = self.desk.decide(operation, proposal, decision, **more)
            return answer.json()["receipt"] if answer.status_code == 200 else None

        return self.persist(recorded, f"{decision} is recorded")

    def told(self, operation: str, notice: str) -> None:
        """Wait until it is known what became of a notice."""

        def ended() -> bool:
            history = self.desk.history(operation)
            return any(
                event["type"] in {"NoticeSent", "NoticeInDoubt"}
                and event["data"]["notice"] == notice
                for event in history
            )

        self.persist(ended, f"{notice} was told")

    def closed(self, operation: str) -> dict[str, Any]:
        """Wait for the end."""

        def ended() -> dict[str, Any] | None:
            shown = self.desk.operation(operation)
            return shown if shown["stage"] == "closed" else None

        return self.persist(ended, "the operation is closed")

    def history(self, operation: str) -> list[dict[str, Any]]:
        """The events of an operation."""
        return self.persist(lambda: self.desk.history(operation), "its history can be read")


@pytest.fixture
def mortals_at(make_host: Callable[..., Any], tmp_path: Path) -> Callable[..., Mortals]:
    """Opens desks at hosts that die after every effect."""
    numbers = itertools.count()

    def open_desk(
        kind: type[Desk] = Desk,
        *,
        share: str = "0/1",
        reload: bool = False,
        power_cut: Callable[[list[str]], None] = lambda places: None,
        **settings: str,
    ) -> Mortals:
        folder = tmp_path / f"crash-{next(numbers)}"
        folder.mkdir()
        host = make_host(
            app=APP,
            reload=reload,
            CRASH_PLACES=str(folder / "places"),
            CRASH_DIARY=str(folder / "diary"),
            CRASH_SHARE=share,
            **settings,
        )
        return Mortals(kind(host.start()), folder / "places", power_cut)

    return open_desk
