"""What a proof would be checked for, looked at before the app writes what was approved."""

from __future__ import annotations

from collections.abc import Sequence

from countersign.approvals.acts import LedgerDoubt
from countersign.approvals.errors import ImpossibleHistory, LedgerError
from countersign.approvals.folding import fold
from countersign.approvals.ledger import Row
from countersign.approvals.operation import Operation
from countersign.kinds.registry import kind_named
from countersign.passkeys.errors import PasskeyFault
from countersign.passkeys.recorded import signed_approvals
from countersign.proof.errors import ProofFault
from countersign.proof.export import references
from countersign.proof.warrants import check_rows
from countersign.stores.artifacts import ArtifactError, Artifacts


async def examine(
    artifacts: Artifacts, tenant: str, operation_id: str, rows: Sequence[Row]
) -> LedgerDoubt | None:
    """Return why the rules don't lead to these rows; None if they do.

    Signatures are on what people did. What the app itself recorded, such as how many have to
    approve, follows from that by the rules, or was recorded by somebody else.

    Raises:
        StoreUnavailable: the contents can't be read now.
        ArtifactError: the content of the last version can't be read back.
        UnknownKind: nobody registered the kind of the operation.
    """
    try:
        operation = fold(tenant, operation_id, (row.event for row in rows))
        if operation is None:
            raise ImpossibleHistory(operation_id, "is empty")
        kind = kind_named(operation.kind).content()
        offered = await _contents(artifacts, operation)
        contents = {reference: kind.read(stored) for reference, stored in offered.items()}
        check_rows(tenant, operation_id, rows, contents)
        signed_approvals(tenant, operation_id, rows)
    except (ProofFault, PasskeyFault, LedgerError, ArithmeticError, ValueError) as fault:
        text = f"{fault}"
        reason = f"{text[:1].upper()}{text[1:].rstrip('.')}."
        return LedgerDoubt(sequence=len(rows), reason=reason)
    return None


async def _contents(artifacts: Artifacts, operation: Operation) -> dict[str, bytes]:
    """Return the contents that were offered; a lost one of any version needs an operator."""
    contents: dict[str, bytes] = {}
    for reference, version in references(operation).items():
        try:
            contents[reference] = await artifacts.get(operation.shelf, reference)
        except ArtifactError as error:
            if version == len(operation.proposals):
                raise
            fault = f"the content of version {version} can't be read, so nothing can be checked"
            raise ProofFault(fault) from error
    return contents
