"""Each fault of the team's is told by whom it can be put right, and what another try costs."""

from __future__ import annotations

import pytest

from countersign.operations.attempts import fault_of, is_final
from countersign.retrieval.errors import PlaceAway
from countersign.sources.library import (
    MissingFolder,
    SourceError,
    UnknownSource,
    UnusableIndex,
)
from countersign.stores.artifacts import ArtifactError, DamagedArtifact, MissingArtifact
from countersign.team import errors
from countersign.team.errors import (
    AccessRefused,
    AnswerCut,
    BudgetSpent,
    Busy,
    ContextTooSmall,
    ModelNotConfigured,
    ModelUnavailable,
    NothingSupported,
    QuotaSpent,
    TeamError,
    TooSlow,
    UnusableAnswer,
)


@pytest.mark.parametrize(
    ("error", "passes"),
    [
        (Busy(status=429), "soon"),
        (ModelUnavailable(), "soon"),
        (AccessRefused(status=401), "later"),
        (QuotaSpent(status=429, code="insufficient_quota"), "later"),
        (ContextTooSmall(status=400), "later"),
        (ModelNotConfigured(["COUNTERSIGN_MODEL is missing"]), "later"),
        # It was billed, and so will the next one be.
        (TooSlow(tokens=900), "never"),
        (AnswerCut(), "never"),
        (UnusableAnswer(), "never"),
    ],
)
def test_a_fault_passes_soon_or_later_or_costs_each_time(error: TeamError, passes: str) -> None:
    fault = fault_of(error)
    assert (fault.cause, fault.passes) == (error.cause, passes)
    assert fault.reason[0].isupper()
    assert fault.reason.endswith(".")
    assert is_final(error) == (passes == "never")


def test_a_search_that_is_away_is_waited_for_and_named() -> None:
    fault = fault_of(PlaceAway("Wikipedia: the site can't be reached"))
    assert (fault.cause, fault.passes) == ("search_unavailable", "soon")
    assert fault.reason == "Wikipedia: the site can't be reached."


def test_what_nobody_can_put_right_is_final() -> None:
    assert is_final(BudgetSpent(9, 9))
    assert is_final(NothingSupported())


@pytest.mark.parametrize(
    "error",
    [
        MissingFolder("/srv/library"),
        UnusableIndex("/srv/library"),
        UnknownSource("/srv/library"),
        MissingArtifact("/srv/library"),
        DamagedArtifact("/srv/library"),
    ],
)
def test_what_cannot_be_read_is_told_without_naming_a_folder(
    error: SourceError | ArtifactError,
) -> None:
    fault = fault_of(error)
    assert fault.passes == "later"
    assert "/srv" not in fault.reason


def test_every_error_of_the_team_has_a_cause_of_its_own() -> None:
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type)]
    causes = [vars(kind)["cause"] for kind in kinds if "cause" in vars(kind)]
    assert len(causes) == len(set(causes)) > 15
