from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from countersign.team.claims import merged, near_duplicates
from countersign.team.models import Finding, Findings


def finding(claim: str, source: str = "doc-1") -> Finding:
    return Finding(claim=claim, quote=f"As they say: {claim}", source=source)


def findings(*claims: str) -> Findings:
    return Findings(findings=[finding(claim) for claim in claims])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Retries need a limit.", "Retries need a limit."),  # the same
        ("Retries need a limit.", "retries need a LIMIT"),  # in another dress
        ("Every retry needs a limit.", "Retries need limits."),  # in other forms of the words
        ("A saga runs its compensations in reverse.", "Sagas run compensation in reverse."),
    ],
)
def test_what_says_the_same_is_a_duplicate(one: str, other: str) -> None:
    assert near_duplicates(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Activities may run twice.", "Activities may not run twice."),  # the opposite
        ("Timers can be cancelled.", "Timers can't be cancelled."),  # the opposite, shortened
        ("A timer lasts 6 days at most.", "A timer lasts 7 days at most."),  # another number
        ("Retries need a limit.", "Timers need storage."),  # something else
    ],
)
def test_what_differs_in_sense_is_kept_apart(one: str, other: str) -> None:
    assert not near_duplicates(one, other)


def test_duplicates_are_merged_across_subtopics_and_the_first_stays() -> None:
    kept = merged(
        [
            ("Retries", findings("Every retry needs a limit.", "Retries need limits.")),
            ("Limits", findings("Retries need a limit.", "Back-off doubles.")),
        ]
    )
    assert [(each.subtopic, each.claim) for each in kept] == [
        ("Retries", "Every retry needs a limit."),
        ("Limits", "Back-off doubles."),
    ]


CLAIMS = st.lists(
    st.lists(
        st.sampled_from(["retry", "timer", "not", "must", "run", "3", "4", "twice"]), min_size=1
    ).map(" ".join),
    max_size=8,
)


@given(CLAIMS)
def test_merging_twice_changes_nothing_more(claims: list[str]) -> None:
    once = merged([("A", findings(*claims))])
    again = merged([("A", findings(*(each.claim for each in once)))])
    assert [each.claim for each in again] == [each.claim for each in once]


@given(CLAIMS)
def test_every_claim_left_out_repeats_one_that_stayed(claims: list[str]) -> None:
    kept = [each.claim for each in merged([("A", findings(*claims))])]
    assert all(any(near_duplicates(claim, each) for each in kept) for claim in claims)


@given(CLAIMS)
def test_a_claim_and_its_opposite_are_never_one(claims: list[str]) -> None:
    assert not any(near_duplicates(claim, f"not {claim}") for claim in claims)
