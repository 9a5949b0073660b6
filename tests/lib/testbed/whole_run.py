"""Tells a run in which tests failed from one that was not whole, by the exit code."""

from __future__ import annotations

import pytest


class WholeRun:
    """Sees whether every file could be read, and every process of pytest-xdist lived to the end.

    Otherwise the run ends as interrupted: pytest-xdist would have it end as one in which a test
    failed, so that running again what failed could pass.
    """

    def __init__(self) -> None:
        self._whole = True

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        self._whole &= not report.failed

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, error: object | None) -> None:
        self._whole &= not error

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if not self._whole:
            session.exitstatus = pytest.ExitCode.INTERRUPTED


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(WholeRun())
