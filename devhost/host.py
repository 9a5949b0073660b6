"""The host: one process that serves an app, and starts again when the app's settings change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from devhost.app.source_files import SourceFiles
from devhost.config.settings import Settings, read_settings
from devhost.console import Console
from devhost.errors import HostBroken
from devhost.functions.catalogue import Catalogue
from devhost.http.listener import listen, origin
from devhost.options import Options
from devhost.session import Session, Surroundings
from devhost.state.folder import DataFolder
from devhost.time.clock import Clock, SystemClock
from devhost.time.virtual_clock import VirtualClock

if TYPE_CHECKING:
    from devhost.web import Server


class Host:
    """Runs one app.

    Raises:
        UsageError: The options or the app's settings are wrong, or the port is taken.
        StateUnusable: Another host has the data folder, or it isn't what it should be.
    """

    def __init__(self, options: Options) -> None:
        source = SourceFiles(options.app, options.data) if options.reload else None
        settings = read_settings(options.app, local=options.local_settings)
        self._settings: Settings | None = settings
        folder = DataFolder(options.data)
        folder.lock()
        clock = _clock(folder, virtual=options.virtual)
        port = settings.port if options.port is None else options.port
        self._listener = listen(options.address, port)
        self._around = Surroundings(
            options=options,
            folder=folder,
            clock=clock,
            console=Console(clock, verbose=options.verbose),
            origin=origin(self._listener),
            failed=self._fail,
            restart=self._restart,
            source=source,
        )
        self._server: Server | None = None
        self._failure = ""
        self._asked_to_end = False

    async def run(self) -> None:
        """Serve until the process is asked to stop.

        Raises:
            AppNotLoaded: The app can't be imported at the start.
            HostBroken: The state can't be written any more, or a part of the host has failed.
            UsageError: A timer's schedule can't be read.
        """
        catalogue: Catalogue | None = None
        while (settings := self._settings) and not (self._failure or self._asked_to_end):
            self._settings = None
            session = Session(self._around, settings, catalogue)
            await self._serve(session, restarted=catalogue is not None)
            catalogue = session.catalogue
        if self._failure:
            raise HostBroken(self._failure)

    async def _serve(self, session: Session, *, restarted: bool) -> None:
        async def begin() -> None:
            await session.begin()
            if not restarted:
                print(f"devhost listening on {self._around.origin}", flush=True)

        try:
            app = await session.open(patient=restarted)
            # A worker imports the app meanwhile, see `Session.open`.
            from devhost.web import Server

            if not self._failure:
                self._server = Server(app, begin, ending=self._end)
                # It closes what it is given; meanwhile requests wait at the original.
                await self._server.serve(sockets=[self._listener.dup()])
        finally:
            await session.close()

    def _restart(self, settings: Settings) -> None:
        self._settings = settings
        self._stop()

    def _end(self) -> None:
        # It may be on its way to another start.
        self._asked_to_end = True

    def _fail(self, reason: str) -> None:
        self._failure = reason
        self._stop()

    def _stop(self) -> None:
        if self._server is not None:
            self._server.should_exit = True


def _clock(folder: DataFolder, *, virtual: bool) -> Clock:
    if virtual:
        return VirtualClock(folder.clock)
    # The time is the machine's again, also for the tokens that are made beside the host.
    folder.clock.unlink(missing_ok=True)
    return SystemClock()
