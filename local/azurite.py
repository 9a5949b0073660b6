"""Run Azurite, Microsoft's emulator of Azure Storage, beside the app or its tests."""

from __future__ import annotations

import contextlib
import re
import subprocess
import time
from pathlib import Path

from countersign.stores.account import DEVELOPMENT_ACCOUNT, DEVELOPMENT_KEY
from devhost.file_lock import Taken, holding
from local.azurite_package import AzuritePackage
from local.errors import AzuriteFailed
from local.node import find_node

SERVICES = ["blob", "queue", "table"]

_END_WITH_PARENT = Path(__file__).with_name("ends_with_its_parent.js")


class Azurite:
    """One Azurite with data of its own; it ends with its parent, and may be started again.

    It writes its indexes to the disk every five seconds and when it is stopped: of a killed
    Azurite the last few seconds are lost, which is not so in Azure.

    It takes free ports of its own, and the same ones again.

    Args:
        folder: Where it keeps its data and its log.
    """

    def __init__(self, folder: Path) -> None:
        self.log = folder / "azurite.log"
        self._folder = folder
        self._ports = dict.fromkeys(SERVICES, 0)
        self._held = contextlib.ExitStack()

    @property
    def connection_string(self) -> str:
        """What a client of Azure Storage needs to use it, once it has been started."""
        endpoints = [
            f"{service.title()}Endpoint=http://127.0.0.1:{port}/{DEVELOPMENT_ACCOUNT}"
            for service, port in self._ports.items()
        ]
        account = [f"AccountName={DEVELOPMENT_ACCOUNT}", f"AccountKey={DEVELOPMENT_KEY}"]
        return ";".join(["DefaultEndpointsProtocol=http", *account, *endpoints]) + ";"

    @property
    def is_running(self) -> bool:
        """Whether the process that was started last has not ended."""
        return self._process.poll() is None

    def start(self, patience: float = 60.0) -> None:
        """Install it if need be, start it, and return once all its services listen.

        Args:
            patience: Seconds that the start may take.

        Raises:
            Missing: There is no Node.js, or npm could not install Azurite.
            AzuriteFailed: It ended, or took longer, or its folder is in use; nothing is left.
        """
        package = AzuritePackage()
        package.make_ready()
        with contextlib.ExitStack() as held:
            self._lock(held)
            output = held.enter_context(self.log.open("w", encoding="utf-8"))
            self._process = subprocess.Popen(
                self._command(find_node(), package.program),
                stdin=subprocess.PIPE,
                stdout=output,
                stderr=output,
                # Ctrl-C is for whoever uses it; it ends after them, when it is stopped.
                start_new_session=True,
                creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
            )
            held.callback(self._end)
            self._wait_until_ready(patience)
            self._held = held.pop_all()

    def stop(self) -> None:
        """Let it save its data and end."""
        self._held.close()

    def _lock(self, held: contextlib.ExitStack) -> None:
        try:
            # Two at the same data would overwrite each other's.
            held.enter_context(holding(self._folder / "azurite.lock"))
        except Taken as error:
            raise AzuriteFailed(
                f"{error.holder} already runs Azurite in the folder {self._folder}"
            ) from error

    def _command(self, node: str, program: Path) -> list[str]:
        command = [node, "--require", str(_END_WITH_PARENT), str(program)]
        command += ["--location", str(self._folder)]
        for service, port in self._ports.items():
            command += [f"--{service}Port", str(port)]
        # The SDKs ask for newer versions of the API than Azurite knows by name.
        return [*command, "--skipApiVersionCheck", "--disableTelemetry", "--silent"]

    def _end(self) -> None:
        with self._process as process:
            assert process.stdin is not None  # noqa: S101 - it was asked for
            with contextlib.suppress(OSError):
                process.stdin.close()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()

    def _wait_until_ready(self, patience: float) -> None:
        deadline = time.monotonic() + patience
        while len(listening := self._listening()) < len(SERVICES):
            if not self.is_running:
                raise AzuriteFailed(f"Azurite did not start: {self._last_words()}")
            if time.monotonic() > deadline:
                raise AzuriteFailed(f"Azurite did not start within {patience:.0f} seconds")
            time.sleep(0.02)
        self._ports.update(listening)

    def _listening(self) -> dict[str, int]:
        told = self.log.read_text("utf-8", "replace")
        lines = re.findall(r"Azurite (\w+) service is successfully listening at \S+:(\d+)\s", told)
        return {service.lower(): int(port) for service, port in lines}

    def _last_words(self) -> str:
        lines = self.log.read_text("utf-8", "replace").split("\n")
        return next((line for line in lines if "error" in line.lower()), f"see {self.log}")
