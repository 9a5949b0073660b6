"""Figures and lists in the documents are those of the code."""

from __future__ import annotations

import json
import re
from typing import get_args

import pytest

from countersign.approvals.events import Decision
from countersign.approvals.holding import FIRST_PAUSE, LONGEST_PAUSE, SOON, SOON_TRIES
from countersign.approvals.outcome import Ending
from countersign.approvals.policy import MAX_VERSIONS, Policy
from countersign.operations.summary import states
from countersign.purchases.limits import read_limits
from countersign.retrieval.allowed import LOOK_IN, MOST_ADDRESSES, PAGES
from countersign.sources.formats import SUFFIXES
from countersign.steps.records import ROUNDS
from countersign.team import errors as team
from endpoints.answers.problems import PROBLEMS, status_of
from local.setup.pythons import SUPPORTED
from testbed.written import ROOT, documents, said

DOCUMENTS = documents()
HTTP = DOCUMENTS["docs/http.md"]
OPERATE = DOCUMENTS["docs/operate.md"]
NUMBERS = {3: "three", 5: "fifth", 10: "tenth"}


def flat(document: str) -> str:
    """A document on one line, so that a sentence is found wherever its lines end."""
    return " ".join(document.split())


def first_column(document: str, heading: str) -> set[str]:
    """The words in code of the first column, in the table below a heading."""
    table = document.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    return {
        word
        for row in re.findall(r"^\| (`.*?) \|", table, re.M)
        for word in re.findall("`(.+?)`", row)
    }


def test_every_state_is_explained() -> None:
    assert first_column(HTTP, "States") - {"state"} == set(states())
    assert set(get_args(Ending)) < set(states())


def test_every_problem_is_listed_under_its_status() -> None:
    table = HTTP.split("\n## Problems\n")[1]
    listed = {
        code: int(status)
        for status, codes in re.findall(r"^\| (\d+) \| (.*) \|$", table, re.M)
        for code in re.findall(r"`(\w+)`", codes)
    }
    assert listed == {code: status_of(problem) for code, problem in PROBLEMS.items()}


def test_every_cause_that_waits_for_an_operator_has_a_remedy() -> None:
    listed = first_column(OPERATE, "Work that waits for an operator")
    causes = {
        each.cause
        for each in vars(team).values()
        if isinstance(each, type) and issubclass(each, (team.NeedsOperator, team.ModelUnavailable))
    }
    abstract = {team.TeamError.cause, team.ModelUnavailable.cause}
    assert causes - abstract <= listed
    others = {cause for cause in listed - causes if not cause.startswith("answer_")} - {"cause"}
    assert others <= {text for _, text in said("countersign", "orchestrators", "activities")}


def test_the_window_and_the_reminders() -> None:
    reminders = " and ".join(f"{each} %" for each in Policy(reviewer_role="").reminders)
    assert f"when {reminders} of the time" in flat(DOCUMENTS["docs/review-page.md"])


def test_the_amounts_from_which_an_order_needs_more_people() -> None:
    for limits in read_limits({}).values():
        assert f"up to the first limit ({limits.one_approver:,})" in DOCUMENTS["docs/purchasing.md"]
        assert f"second limit ({limits.approvers_alone:,})" in DOCUMENTS["docs/purchasing.md"]


def test_the_rounds_and_versions_after_which_an_operation_ends() -> None:
    assert f"after up to {NUMBERS[ROUNDS]} rounds of research" in HTTP
    assert f"changes to the {NUMBERS[MAX_VERSIONS]} version" in HTTP


def test_the_pauses_between_attempts() -> None:
    pauses, pause = [], FIRST_PAUSE
    while pause < LONGEST_PAUSE:
        pauses.append(str(pause.seconds // 60))
        pause *= 2
    longest = LONGEST_PAUSE.seconds // 60
    assert f"{', '.join(pauses)} and then every {longest} minutes" in flat(OPERATE)
    assert SOON.seconds == 10
    assert f"retries after ten seconds; the {NUMBERS[SOON_TRIES]} failure" in flat(OPERATE)


def test_where_research_looks_is_listed_whole() -> None:
    assert first_column(DOCUMENTS["docs/settings.md"], "Sources") >= {*LOOK_IN, PAGES}
    assert f"| up to {MOST_ADDRESSES} web pages |" in HTTP


def test_the_files_that_are_read_are_listed_whole() -> None:
    listed = re.findall(r"`(\.\w+)`", flat(HTTP).split("Files may be")[1].split("; the library")[0])
    assert set(listed) <= set(SUFFIXES)


def test_decisions_are_named_as_the_api_takes_them() -> None:
    [sentence] = re.findall(r"`decision` is (.*?), which", flat(HTTP))
    assert re.findall(r"`(\w+)`", sentence) == list(get_args(Decision))


def test_the_pythons_that_run_the_app() -> None:
    *most, last = SUPPORTED
    assert f"Python {', '.join(most)} or {last}" in flat(DOCUMENTS["docs/develop.md"])


@pytest.mark.parametrize("name", ["docs/operate.md"])
def test_the_largest_body_is_that_of_the_sample_settings(name: str) -> None:
    sample = json.loads((ROOT / "local.settings.sample.json").read_text("utf-8"))["Values"]
    most = int(sample["FUNCTIONS_REQUEST_BODY_SIZE_LIMIT"])
    assert f"{most:,} bytes here" in flat(DOCUMENTS[name])
