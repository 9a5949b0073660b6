"""A server from npm that is not ours, with what it says in a file."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from typing_extensions import Self

from devhost.process import ServerProcess
from local.node import find_node
from local.npm_package import NpmPackage


class NpmServer(ServerProcess):
    """A server of a package, which is installed at first use; it runs within a `with`.

    Args:
        name: What it is, for messages.
        package: What it comes from.
        script: The script of ours that starts it; it is told the package's folder first.
        options: What the script is told besides.
        port: Where it answers.
        health: The path that it answers once it is ready.
        log: The file of what it says.

    Raises:
        Missing: There is no Node.js, or npm could not install the package.
    """

    def __init__(
        self,
        name: str,
        package: NpmPackage,
        script: Path,
        options: Sequence[str],
        *,
        port: int,
        health: str,
        log: Path,
    ) -> None:
        package.make_ready()
        self._log = log.open("w", encoding="utf-8")
        super().__init__(
            name=name,
            command=[find_node(), str(script), str(package.folder), *options],
            port=port,
            environment=os.environ,
            output=self._log,
            health=health,
        )

    def __enter__(self) -> Self:
        try:
            self.start()
        except BaseException:
            self._log.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()
        self._log.close()
