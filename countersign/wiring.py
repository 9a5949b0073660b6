"""Which adapters stand behind the ports; nobody else names them.

They are imported when the services are made: an app that is being started, or that only answers
for a deterministic story, loads no database, no cryptography and no model.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from countersign.approvals.digest import sha256
from countersign.platform.clock import Clock, clock_from
from countersign.platform.telemetry import send_texts
from countersign.services import Services

if TYPE_CHECKING:
    from countersign.approvals.acts import LedgerDoubt, Trust
    from countersign.approvals.ledger import Ledger, Row
    from countersign.destinations.destination import Destination, ReportDestination
    from countersign.identity.tokens import TokenVerifier
    from countersign.notices.notifier import Notifier
    from countersign.operations.allowances import Allowances
    from countersign.operations.board import Board
    from countersign.operations.repository import Operations
    from countersign.operations.workshop import Workshop
    from countersign.passkeys.passkeys import Passkeys
    from countersign.proof.anchor_place import AnchorPlace
    from countersign.retrieval.choice import Choice
    from countersign.settings import Settings
    from countersign.sources.folder import FolderLibrary
    from countersign.stores.account import StorageAccount
    from countersign.stores.allowances import AllowanceStore
    from countersign.stores.artifacts import Artifacts
    from countersign.stores.index import Index, LedgerWithIndex
    from countersign.stores.passkeys import PasskeyStore
    from countersign.stores.progress import ProgressStore
    from countersign.stores.serving import ServingStore


@dataclass(frozen=True, kw_only=True, slots=True)
class Stores:
    """One adapter for each port behind which something is kept.

    Attributes:
        one_file: the ledger again, if it has the index in the same file.
    """

    ledger: Ledger
    index: Index
    allowances: AllowanceStore
    passkeys: PasskeyStore
    artifacts: Artifacts
    progress: ProgressStore
    serving: ServingStore
    reports: ReportDestination
    one_file: LedgerWithIndex | None = None


@cache
def services() -> Services:
    """Return the services of this process, made at the first call; making them does no I/O.

    Raises:
        SettingsError: the environment lacks something.
    """
    from countersign.operations.attempts import Attempts
    from countersign.operations.board import Board
    from countersign.operations.repository import Operations
    from countersign.operations.serving import Serving
    from countersign.research.questions import Questions
    from countersign.research.teamwork import Teamwork
    from countersign.settings import read_settings

    settings = read_settings(os.environ)
    send_texts(settings.telemetry_texts)
    clock = clock_from(os.environ)
    stores = _in_azure(settings.account, clock) if settings.account else _embedded(settings.data)
    operations = Operations(
        stores.ledger,
        stores.index,
        clock,
        _trust(settings, stores.artifacts),
        one_file=stores.one_file,
    )
    board = Board(store=stores.progress, clock=clock)
    workshop = _workshop(settings, operations, stores.artifacts, board)
    choice, notifier = _choice(settings, clock), _notifier(settings, operations, stores.artifacts)
    attempts = Attempts(workshop=workshop, clock=clock, has_news=notifier.has_news)
    return Services(
        settings=settings,
        clock=clock,
        serving=Serving(store=stores.serving, hub=settings.hub),
        operations=operations,
        allowances=_allowances(settings, stores, clock),
        passkeys=_passkeys(settings, stores, clock),
        artifacts=stores.artifacts,
        board=board,
        reports=stores.reports,
        orders=_orders(settings),
        anchors=_anchors(settings),
        workshop=workshop,
        attempts=attempts,
        team=Teamwork(attempts=attempts, workshop=workshop, choice=choice),
        questions=Questions(workshop=workshop, choice=choice),
        notifier=notifier,
        verifier=_verifier(settings, clock),
    )


def _trust(settings: Settings, artifacts: Artifacts) -> Trust | None:
    """Return what makes ledgers ones that may be acted on; None where there is no key at all."""
    from countersign.approvals.acts import Trust
    from countersign.proof.seal import KeySeal

    if settings.proof_key is None and not settings.proof_keys:
        return None
    seal = KeySeal(settings.proof_key, settings.proof_keys)
    return Trust(
        seal=seal, unsigned_until=settings.unsigned_until, examine=partial(_examine, artifacts)
    )


async def _examine(
    artifacts: Artifacts, tenant: str, operation_id: str, rows: Sequence[Row]
) -> LedgerDoubt | None:
    # Imported here because building its models would slow every start of the app down.
    from countersign.proof.examine import examine

    return await examine(artifacts, tenant, operation_id, rows)


def _in_azure(account: StorageAccount, clock: Clock) -> Stores:
    from countersign.destinations.report_blobs import ReportBlobs
    from countersign.stores.blob_artifacts import BlobArtifacts
    from countersign.stores.cached_artifacts import CachedArtifacts
    from countersign.stores.table_allowances import TableAllowances
    from countersign.stores.table_index import TableIndex
    from countersign.stores.table_ledger import TableLedger
    from countersign.stores.table_passkeys import TablePasskeys
    from countersign.stores.table_progress import TableProgress
    from countersign.stores.table_serving import TableServing

    return Stores(
        ledger=TableLedger(account),
        index=TableIndex(account),
        allowances=TableAllowances(account),
        passkeys=TablePasskeys(account),
        artifacts=CachedArtifacts(BlobArtifacts(account)),
        progress=TableProgress(account),
        serving=TableServing(account, clock),
        reports=ReportBlobs(account),
    )


def _embedded(data: Path) -> Stores:
    from countersign.destinations.report_folder import ReportFolder
    from countersign.stores.folder import FolderArtifacts, FolderProgress
    from countersign.stores.folder_serving import FolderServing
    from countersign.stores.sqlite import SqliteLedger
    from countersign.stores.sqlite_allowances import SqliteAllowances
    from countersign.stores.sqlite_index import SqliteIndex
    from countersign.stores.sqlite_passkeys import SqlitePasskeys

    database = data / "countersign.db"
    ledger = SqliteLedger(database)
    return Stores(
        ledger=ledger,
        one_file=ledger,
        index=SqliteIndex(database),
        allowances=SqliteAllowances(database),
        passkeys=SqlitePasskeys(database),
        artifacts=FolderArtifacts(data / "artifacts"),
        progress=FolderProgress(data / "progress"),
        serving=FolderServing(data),
        reports=ReportFolder(data / "reports"),
    )


def _allowances(settings: Settings, stores: Stores, clock: Clock) -> Allowances:
    from countersign.operations.allowances import Allowances

    return Allowances(
        store=stores.allowances,
        index=stores.index,
        clock=clock,
        most_open=settings.most_open,
        most_tokens=settings.tokens_per_day,
    )


def _passkeys(settings: Settings, stores: Stores, clock: Clock) -> Passkeys:
    from countersign.notices.apprise import AppriseChannels
    from countersign.notices.passkey_notice import PasskeyNotices
    from countersign.passkeys.passkeys import Passkeys
    from countersign.proof.seal import KeySeal

    key = settings.proof_key
    notices = PasskeyNotices(
        channels=AppriseChannels(), addresses=settings.addresses, home=settings.home
    )
    return Passkeys(
        store=stores.passkeys,
        seal=KeySeal(key, settings.proof_keys) if key else None,
        clock=clock,
        site=settings.passkey_site,
        tell=notices.tell,
    )


def _orders(settings: Settings) -> Destination | None:
    if settings.purchasing is None:
        return None
    from countersign.destinations.order_service import OrderService

    return OrderService(settings.purchasing)


def _anchors(settings: Settings) -> AnchorPlace | None:
    if settings.anchors is None:
        return None
    if isinstance(settings.anchors, Path):
        from countersign.anchors.file import AnchorFile

        return AnchorFile(settings.anchors)
    from countersign.anchors.blobs import AnchorBlobs

    return AnchorBlobs(settings.anchors)


def _workshop(
    settings: Settings, operations: Operations, artifacts: Artifacts, board: Board
) -> Workshop:
    from countersign.operations.workshop import Workshop
    from countersign.team.own_token import model_token

    return Workshop(
        operations=operations,
        artifacts=artifacts,
        model=settings.model,
        token=model_token,
        token_limit=settings.token_limit,
        watch=board,
    )


def _choice(settings: Settings, clock: Clock) -> Choice:
    from countersign.retrieval.azure_search import search_token
    from countersign.retrieval.choice import Choice
    from countersign.retrieval.page_reader import PageReader
    from countersign.web.fetching import Fetcher

    library = library_of(settings)
    fetcher = Fetcher(contact=settings.home, also=settings.allowed.loopback)
    return Choice(
        library=library,
        left_out=library.left_out,
        allowed=settings.allowed,
        reader=PageReader(fetcher=fetcher, clock=clock),
        searches=settings.allowed.searches.finders(fetcher, search_token),
    )


def _index_of(settings: Settings) -> Path:
    """Return the folder of the library's index; each library in the same data has its own."""
    folder = os.path.abspath(settings.library)  # noqa: PTH100 - it does no I/O
    return settings.data / f"library-{sha256(folder.encode())[:12]}.db"


def library_of(settings: Settings) -> FolderLibrary:
    """Return the folder of documents that research reads."""
    from countersign.sources.folder import FolderLibrary

    return FolderLibrary(settings.library, _index_of(settings))


def _notifier(settings: Settings, operations: Operations, artifacts: Artifacts) -> Notifier:
    from countersign.notices.apprise import AppriseChannels
    from countersign.notices.notifier import Notifier

    return Notifier(operations, AppriseChannels(), settings.addresses, settings.home, artifacts)


def _verifier(settings: Settings, clock: Clock) -> TokenVerifier:
    from countersign.identity.keys import KeySet
    from countersign.identity.tokens import TokenVerifier

    return TokenVerifier(
        settings.tokens,
        KeySet(settings.tokens.jwks),
        platform=settings.sign_in.way == "platform",
        clock=clock,
    )
