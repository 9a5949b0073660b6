"""Run a small model beside the app, behind the HTTP server of llama.cpp."""

from __future__ import annotations

import os
import secrets
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import IO

from countersign.team.chat import (
    ANSWER_KEY,
    MODEL_KEY,
    PROVIDER_KEY,
    SECONDS_KEY,
    SECRET_KEY,
    SHOWN_KEY,
    URL_KEY,
)
from devhost.process import ServerProcess
from local.gguf import FOLDER, LISTS
from local.llama_server import KEY, SERVER
from local.model_packages import install

USUAL_PORT = 7090

BOUNDS = {SECONDS_KEY: "1500", ANSWER_KEY: "1000", SHOWN_KEY: "1500"}
"""For a model that reads some fifty tokens in a second, and loses its way where much is shown that
doesn't matter; a faster machine and a larger model can do with others."""


class LlamaProcess(ServerProcess):
    """One model, on a loopback port, with a key that only this process knows.

    Args:
        model: The file of the model.
        port: The port to listen on.
        output: The open file its log goes to; by default the terminal.
        server: Where the server is installed, or is going to be.
    """

    def __init__(
        self,
        *,
        model: Path,
        port: int,
        output: IO[str] | None = None,
        server: Path = FOLDER / "server",
    ) -> None:
        self._model = model
        self._server = server
        self._key = secrets.token_urlsafe()
        super().__init__(
            name="the model's server",
            command=[sys.executable, "-m", "local.llama_server", str(model), "--port", str(port)],
            port=port,
            environment={**os.environ, KEY: self._key, SERVER: str(server)},
            output=output,
            health="/health",
        )

    def start(self, patience: float = 300.0) -> None:
        """Install the server if need be, start it, and return once the model is loaded.

        Args:
            patience: Seconds that loading may take; a file that is read for the first time is slow.

        Raises:
            Missing: There is no server for this machine.
            HostFailed: It ended, or took longer; nothing of it is left running.
        """
        if not (self._server / "xllamacpp").is_dir():
            install(LISTS / "server.txt", self._server, "Installing xllamacpp (licence: MIT).")
        print(f"Loading {self._model.name}", file=sys.stderr, flush=True)
        super().start(patience)

    @property
    def settings(self) -> Mapping[str, str]:
        """The settings with which the app asks this model and no other."""
        return {
            PROVIDER_KEY: "compatible",
            MODEL_KEY: self._model.stem,
            URL_KEY: f"{self.url}/v1",
            SECRET_KEY: self._key,
            **{key: os.environ.get(key) or value for key, value in BOUNDS.items()},
        }
