"""Which adapters stand behind the ports; nobody else names them."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cache

from countersign.clock import Clock, clock_from
from countersign.identity.keys import KeySet
from countersign.identity.tokens import TokenVerifier
from countersign.investigation import Investigation
from countersign.operations import Operations
from countersign.settings import Settings, SettingsError, read_settings
from countersign.sources.folder import FolderLibrary
from countersign.stores.artifacts import Artifacts
from countersign.stores.folder import FolderArtifacts
from countersign.stores.sqlite_index import SqliteIndex
from countersign.stores.sqlite_ledger import SqliteLedger
from countersign.team.chat import model_name
from countersign.workshop import Workshop
from countersign.writing.destination import Destination
from countersign.writing.report_folder import ReportFolder


@dataclass(frozen=True, kw_only=True, slots=True)
class Services:
    """Everything that endpoints and activities work with."""

    settings: Settings
    clock: Clock
    operations: Operations
    artifacts: Artifacts
    destination: Destination
    workshop: Workshop
    investigation: Investigation
    verifier: TokenVerifier


@cache
def services() -> Services:
    """The services of this process, made at the first call; making them does no I/O.

    Raises:
        SettingsError: the environment lacks something.
    """
    settings = read_settings(os.environ)
    data = settings.data
    clock = clock_from(os.environ)
    artifacts = FolderArtifacts(data / "artifacts")
    database = data / "countersign.db"
    operations = Operations(SqliteLedger(database), SqliteIndex(database), clock)
    workshop = Workshop(
        operations=operations,
        artifacts=artifacts,
        model=model_name(settings.model),
        token_limit=settings.token_limit,
    )
    return Services(
        settings=settings,
        clock=clock,
        operations=operations,
        artifacts=artifacts,
        destination=ReportFolder(data / "reports"),
        workshop=workshop,
        investigation=Investigation(
            workshop=workshop,
            library=FolderLibrary(settings.library, data / "library.db"),
            model=settings.model,
        ),
        verifier=TokenVerifier(
            issuer=settings.issuer,
            audience=settings.audience,
            jwks=_keys(settings.jwks),
            tenants=settings.tenants,
            clock=clock,
        ),
    )


def _keys(address: str) -> KeySet:
    try:
        return KeySet(address)
    except ValueError as error:
        raise SettingsError(f"COUNTERSIGN_TOKEN_JWKS: {error}.") from error
