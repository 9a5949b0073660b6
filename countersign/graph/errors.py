"""What can go wrong with a graph.

GraphError
├── CheckpointError
│   ├── NotJson
│   ├── StrangeCheckpoint
│   ├── DamagedCheckpoint
│   ├── MissingCheckpoint
│   ├── ChangedGraph
│   └── StoreUnfit
├── UnknownOperation
├── Stalled
└── NotConfigured
"""

from __future__ import annotations


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
        super().__init__(f"{where} is {what}, and a checkpoint takes plain JSON only")
        self.where = where


class StrangeCheckpoint(CheckpointError):
    """Something that this operation didn't save lies where its checkpoints are."""


class DamagedCheckpoint(CheckpointError):
    """What is stored for a checkpoint is not what was saved."""


class MissingCheckpoint(CheckpointError):
    """A checkpoint was saved and is gone."""


class ChangedGraph(CheckpointError):
    """A checkpoint was saved by a graph of another shape."""


class StoreUnfit(CheckpointError):
    """The store did not give back the pending request that it was given."""


class UnknownOperation(GraphError):
    """The tenant has no such operation."""


class Stalled(GraphError):
    """The graph came to rest with neither an end nor a question."""


class NotConfigured(GraphError):
    """A setting of the graph is missing or unknown."""
