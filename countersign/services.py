"""What endpoints, activities and the graph work with, as one record that is handed in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from countersign.destinations.destination import Destination, ReportDestination
    from countersign.identity.tokens import TokenVerifier
    from countersign.notices.notifier import Notifier
    from countersign.operations.allowances import Allowances
    from countersign.operations.attempts import Attempts
    from countersign.operations.board import Board
    from countersign.operations.repository import Operations
    from countersign.operations.serving import Serving
    from countersign.operations.workshop import Workshop
    from countersign.passkeys.passkeys import Passkeys
    from countersign.platform.clock import Clock
    from countersign.proof.anchor_place import AnchorPlace
    from countersign.research.questions import Questions
    from countersign.research.teamwork import Teamwork
    from countersign.settings import Settings
    from countersign.stores.artifacts import Artifacts


@dataclass(frozen=True, kw_only=True, slots=True)
class Services:
    """Everything that endpoints and activities work with.

    Attributes:
        orders: where orders are placed, None if nowhere.
        anchors: where the app writes anchors once a day, None if nowhere.
    """

    settings: Settings
    clock: Clock
    serving: Serving
    operations: Operations
    allowances: Allowances
    passkeys: Passkeys
    artifacts: Artifacts
    board: Board
    reports: ReportDestination
    orders: Destination | None
    anchors: AnchorPlace | None
    workshop: Workshop
    attempts: Attempts
    team: Teamwork
    questions: Questions
    notifier: Notifier
    verifier: TokenVerifier
