"""Research goes round as often as it has to, and three times at most."""

from __future__ import annotations

from countersign.steps.records import Checked, Planned, Round

DOUBTFUL = Checked(approved=False, again=[1])


def test_the_first_round_researches_everything() -> None:
    assert list(Round.first(Planned(subtopics=3)).subtopics) == [0, 1, 2]


def test_a_round_that_is_good_enough_is_the_end() -> None:
    assert Round.first(Planned(subtopics=3)).after(Checked(approved=True)) is None


def test_what_is_in_doubt_is_researched_again() -> None:
    second = Round.first(Planned(subtopics=3)).after(DOUBTFUL)
    assert second == Round(number=1, subtopics=[1])


def test_the_third_check_is_the_last() -> None:
    rounds: list[Round] = []
    coming: Round | None = Round.first(Planned(subtopics=3))
    while coming and len(rounds) < 3:
        rounds.append(coming)
        coming = coming.after(DOUBTFUL)
    assert [each.is_last for each in rounds] == [False, False, True]
