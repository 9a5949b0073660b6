"""Places to look in, with what they need: a site of this machine, and a store of a test's own."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timezone
from pathlib import Path

import pytest

from countersign.retrieval.copies import Copies
from countersign.retrieval.page_reader import PageReader
from countersign.stores.artifacts import Artifacts
from countersign.stores.folder import FolderArtifacts
from countersign.web.fetching import Fetcher
from testbed.site import Site

NOON = datetime(2026, 11, 30, 12, tzinfo=timezone.utc)


@pytest.fixture
def artifacts(tmp_path: Path) -> Artifacts:
    return FolderArtifacts(tmp_path / "artifacts")


@pytest.fixture
def copies_of(artifacts: Artifacts) -> Callable[[str], Copies]:
    """The copies of an operation, as any process of it has them."""
    return lambda operation: Copies(artifacts, "home", operation)


@pytest.fixture
def copies(copies_of: Callable[[str], Copies]) -> Copies:
    return copies_of("research-1")


@pytest.fixture
def reader(site: Site) -> PageReader:
    return PageReader(fetcher=Fetcher(also=[site.authority]), clock=lambda: NOON)
