"""Starts the worker process, gives it calls, and starts another when it ends."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import secrets
import subprocess
import sys
import time
from pathlib import Path

from devhost.app import Answer, Call
from devhost.catalogue import Catalogue, Function
from devhost.connection import Connection
from devhost.console import Console
from devhost.errors import AppBroken, CallTooLong, WorkerDied
from devhost.settings import Settings
from devhost.wire import Frame, receive

_SOON = 2.0
_LONGEST_PAUSE = 5.0


class Supervisor:
    """Implements `app.App` with one worker process at a time.

    Args:
        settings: The app and its environment.
        client: What the durable client binding gives the app, as JSON text.
        orchestrators: How many orchestrators run at a time.
        verbose: Whether the app's debug messages are wanted.
    """

    def __init__(
        self,
        settings: Settings,
        *,
        client: str,
        console: Console,
        orchestrators: int,
        verbose: bool = False,
    ) -> None:
        self._settings = settings
        self._console = console
        self._extra = {
            "DEVHOST_CLIENT": client,
            "DEVHOST_ORCHESTRATORS": str(orchestrators),
            "DEVHOST_LOG_LEVEL": "DEBUG" if verbose else "INFO",
        }
        self._catalogue = Catalogue()
        self._arrivals: dict[str, asyncio.Future[Connection]] = {}
        self._alone = asyncio.Lock()
