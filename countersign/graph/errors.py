"""What can go wrong with a graph.

GraphError
├── CheckpointError
│   ├── NotJson
│   ├── StrangeCheckpoint
│   ├── DamagedCheckpoint
│   ├── MissingCheckpoint
│   ├── AnotherStore
│   ├── ChangedGraph
│   └── StoreUnfit
├── UnknownOperation
├── DamagedLedger
├── AnotherLibrary
├── WaitsForOperator
├── TurnTaken
├── ServedByAnother
├── GraphStalled
└── NotConfigured
"""

from __future__ import annotations

from countersign.approvals.errors import LedgerError
from countersign.destinations.destination import WritingError
from countersign.sources.library import SourceError
from countersign.stores.errors import StoreError
from countersign.team.errors import TeamError

HUB = "graph-engine"
"""What the graph is named in its storage, as a task hub is: all its processes share their turns."""


class GraphError(Exception):
    """A graph can't do what was asked; the message is fit for the person at the terminal."""


class CheckpointError(GraphError):
    """A checkpoint can't be saved or used."""


class NotJson(CheckpointError):
    """Something in a checkpoint is no plain JSON, so it is not saved at all.

    Attributes:
        where: the place in the checkpoint.
    """

    def __init__(self, where: str, what: str) -> None:
        super().__init__(f"{where} is {what}, but a checkpoint accepts only plain JSON")
        self.where = where


class StrangeCheckpoint(CheckpointError):
    """Something that this operation didn't save lies where its checkpoints are."""


class DamagedCheckpoint(CheckpointError):
    """What is stored for a checkpoint is not what was saved."""


class MissingCheckpoint(CheckpointError):
    """A checkpoint was saved and is gone."""


class AnotherStore(CheckpointError):
    """A checkpoint was saved in a store of another kind than the one that is set."""


class ChangedGraph(CheckpointError):
    """A checkpoint was saved by a graph of another shape."""


class StoreUnfit(CheckpointError):
    """The store did not give back the pending request that it was given."""


class UnknownOperation(GraphError):
    """The tenant has no such operation."""


class DamagedLedger(GraphError):
    """The rows of an operation are not as they were recorded."""


class AnotherLibrary(GraphError):
    """An operation would be researched in another library than the one it was asked for with."""


class WaitsForOperator(GraphError):
    """The work waits for an operator, and the ledger says why."""


class TurnTaken(GraphError):
    """Another process works on the operation."""


class ServedByAnother(GraphError):
    """A durable engine serves the storage, and would continue the same operations."""

    def __init__(self, hub: str) -> None:
        super().__init__(
            f"the task hub {hub} serves this storage and continues what is open there: give the"
            " graph a folder or an account of its own, or stop that app and have the graph take"
            f" over with `dev.py takeover --stopped {HUB}`"
        )


class GraphStalled(GraphError):
    """The graph came to rest with neither an end nor a question, or can't take its next step."""


class NotConfigured(GraphError):
    """A setting of the graph is missing or unknown."""


FAULTS = (GraphError, TeamError, SourceError, StoreError, LedgerError, WritingError, OSError)
"""What can keep a graph from going on for now: each has a message fit for a person, and none of
them takes back what was recorded."""


def way_on(operation_id: str) -> str:
    """Return the remedy for unusable checkpoints, as the rest of a sentence."""
    return f"resume --afresh {operation_id} continues without them and repeats no completed step"


def unknown_operation(operation_id: str) -> UnknownOperation:
    """Return the error for an id that the tenant has no operation for."""
    return UnknownOperation(f"there is no operation {operation_id} in this tenant")
