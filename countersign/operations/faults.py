"""What keeps a step from being done, told apart by who can do something about it."""

from __future__ import annotations

from countersign.approvals.hold import Fault, Passing
from countersign.retrieval.errors import NothingLookedUp, PlaceAway
from countersign.sources.library import MissingFolder, SourceError, UnknownSource, UnusableIndex
from countersign.stores.artifacts import ArtifactError, DamagedArtifact, MissingArtifact
from countersign.team.errors import (
    BudgetSpent,
    ModelUnavailable,
    NothingSupported,
    TeamError,
    UnusableAnswer,
)

_WHAT_FAILED = {
    MissingFolder: ("library_missing", "The library's folder is missing"),
    UnusableIndex: ("library_unusable", "The library's index cannot be used"),
    UnknownSource: ("source_removed", "A source was removed from the library during the work"),
    MissingArtifact: ("result_missing", "A stored result is missing"),
    DamagedArtifact: ("result_damaged", "A stored result is damaged"),
}
_UNREAD = ("source_unreadable", "A file that the work needs cannot be read")


def fault_of(error: TeamError | SourceError | ArtifactError) -> Fault:
    """What an error means for the step that it ended.

    What a library or a store says names folders of this machine, which is nothing for every reader
    of the ledger; it is for the host's log.
    """
    if isinstance(error, TeamError):
        return Fault(cause=error.cause, reason=sentence(error), passes=_passes(error))
    if isinstance(error, PlaceAway):
        return Fault(cause="search_unavailable", reason=sentence(error), passes="soon")
    cause, what = _WHAT_FAILED.get(type(error), _UNREAD)
    return Fault(cause=cause, reason=f"{what}; see the host's log.", passes="later")


def is_final(error: TeamError | NothingLookedUp) -> bool:
    """Whether trying again by itself won't help, however long one waits."""
    if isinstance(error, BudgetSpent | NothingSupported | NothingLookedUp):
        return True
    return _passes(error) == "never"


def sentence(error: Exception) -> str:
    """An error's message as a sentence of its own."""
    text = f"{error}".rstrip(".")
    return f"{text[:1].upper()}{text[1:]}."


def _passes(error: TeamError) -> Passing:
    if isinstance(error, ModelUnavailable):
        return "soon"
    # A model that answers, or thinks for long, is paid for it.
    return "never" if isinstance(error, UnusableAnswer) or error.tokens else "later"
