"""A purchasing system beside the app, whose faults are planned and which can be killed."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Any

import httpx
from typing_extensions import Self

from devhost.process import free_port
from local.purchasing import PurchasingProcess


class PurchasingService(PurchasingProcess):
    """The sample of `samples/purchasing`, in a process of its own; it runs within a `with`.

    Args:
        data: The folder of its books.
        without: The guards that it lacks, of `key` and `lookup`.
        token: The bearer token that it wants, if any.
    """

    def __init__(
        self, data: Path, *, without: Collection[str] = (), token: str | None = None
    ) -> None:
        data.mkdir(parents=True, exist_ok=True)
        self._log = (data / "purchasing.log").open("a", encoding="utf-8")
        lacks = [option for guard in without for option in ("--without", guard)]
        wants = ["--token", token] if token else []
        super().__init__(data=data, port=free_port(), output=self._log, options=[*lacks, *wants])
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        self._http = httpx.Client(base_url=self.url, headers=headers, timeout=30.0, trust_env=False)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()
        self._http.close()
        self._log.close()

    def faults(self, *faults: str) -> None:
        """Plan what happens to the next orders, one each; what was planned before is forgotten."""
        self._http.post("/faults", json={"faults": faults}).raise_for_status()

    def planned(self) -> list[str]:
        """The faults that have not happened yet."""
        return self._http.get("/faults").raise_for_status().json()["faults"]

    def orders(self, reference: str | None = None) -> list[dict[str, Any]]:
        """The orders that stand in its books, or those with a reference."""
        orders = self._http.get("/orders").raise_for_status().json()["orders"]
        return [each for each in orders if reference in (None, each["reference"])]
