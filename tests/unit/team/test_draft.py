"""What is left of a draft: sentences that cite supported claims, without others' addresses."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from countersign.team.citations import cited
from countersign.team.draft import (
    FOREIGN_QUOTE,
    NO_SUCH_ADDRESS,
    UNCITED,
    Draft,
    all_cited,
    composed,
    statements,
)
from countersign.team.errors import Uncited
from countersign.team.models import CheckedFinding, Report, Section

CLAIMS = ["Retries need limits.", "Timers outlive processes.", "Calls need timeouts in 2020."]
FINDINGS = [
    CheckedFinding(
        claim=claim, quote=f"{claim} See example.com.", source="s", subtopic="Faults", found=True
    )
    for claim in CLAIMS
]
KNOWN = "https://example.org/a " + " ".join(each.quote for each in FINDINGS)


def draft(*bodies: str, summary: str = "It is so [1].", title: str = "On faults") -> Draft:
    sections = [Section(heading=f"Part {n}", body=body) for n, body in enumerate(bodies)]
    report = Report(title=title, summary=summary, sections=sections)
    return composed(report, FINDINGS, KNOWN, topic="Faults")


@pytest.mark.parametrize(
    ("body", "kept"),
    [
        ("They dance [1].", "They dance [1]."),
        ("They dance [1, 2].", "They dance [1] [2]."),
        ("They dance [1; 9].", "They dance [1]."),
        ("They fly [1]. They sing. They dance [2].", "They fly [1]. They dance [2]."),
        ("They fly. [1] They sing. They dance.[2]", "They fly. [1] They dance. [2]"),
        ("They sing.\n\nThey fly [2].", "They fly [2]."),
        ("They fly [2], e.g. to Dr. Lee, at 3.5 m.",) * 2,
        ("They fly to Dr. Lee, at 3.5 m [2].", "They fly to Dr. Lee, at 3.5 m [2]."),
        ("\u201cRetries need limits. See example.com.\u201d [1]",) * 2,
        ("Er kam am 3. Mai an [1]. Er ging.", "Er kam am 3. Mai an [1]."),
        ("桥关闭了。[1]人们绕行。", "桥关闭了。 [1]"),
        # What repeats a claim, or a sentence that is cited, is cited by code.
        ("Retries need limits.", "Retries need limits. [1]"),
        ("They like to dance at night [2]. At night they like to dance.", None),
        # Not with another number, or the other way round.
        ("Calls need timeouts in 2021.", ""),
        ("Retries need no limits.", ""),
    ],
)
def test_only_sentences_that_cite_a_finding_are_kept(body: str, kept: str | None) -> None:
    made = draft(body, "So it is [1].").report.sections[0].body
    if kept is None:
        assert all(map(cited, statements(made)[0]))
    else:
        assert made == (kept or "So it is [1].")


def test_what_is_left_out_is_kept_with_the_reason() -> None:
    left_out = draft("They fly [1]. They sing.").left_out
    assert [(each.text, each.reason) for each in left_out] == [("They sing.", UNCITED)]


def test_a_report_without_any_cited_section_is_none() -> None:
    with pytest.raises(Uncited):
        draft("They sing.", "They dance [9].")


def test_a_summary_gets_the_citations_of_what_it_repeats() -> None:
    made = draft("Bees like to dance at night [2].", summary="Bees like to dance at night.")
    assert made.report.summary == "Bees like to dance at night. [2]"


def test_a_summary_that_cites_nothing_is_made_of_the_sections() -> None:
    made = draft("They fly [1]. They sing [2].", "They dance [3].", summary="All is well.")
    assert made.report.summary == "They fly [1]. They dance [3]."


@pytest.mark.parametrize(
    "address",
    ["https://evil.example/more", "www.evil.example", "evil.com/x", "me@evil.example", "evil.de"],
)
def test_an_address_that_no_source_has_is_left_out(address: str) -> None:
    made = draft(f"They fly [1]. More is at {address}. [2]", title=f"See {address}")
    assert made.report.sections[0].body == "They fly [1]."
    assert made.report.title == "Faults"
    assert {each.reason for each in made.left_out} == {NO_SUCH_ADDRESS}


def test_an_address_of_a_source_stays() -> None:
    body = "More is at https://example.org/a and example.com. [2]"
    assert draft(body).report.sections[0].body == body


def test_words_that_no_source_has_are_not_shown_as_a_quote() -> None:
    made = draft("They fly [1]. He said \u201cretries need no limits\u201d. [1]")
    assert made.report.sections[0].body == "They fly [1]."
    assert [each.reason for each in made.left_out] == [FOREIGN_QUOTE]


@given(st.text(alphabet="aB[]0123, .\n\u201c\u201d\u3002", max_size=80), st.text(max_size=80))
def test_whatever_is_written_every_sentence_that_is_kept_cites_a_finding(
    body: str, summary: str
) -> None:
    report = draft(f"{body}\n\nSo it is [1].", summary=f"{summary}.").report
    for text in (report.summary, *(section.body for section in report.sections)):
        for paragraph in statements(text):
            assert all(map(cited, paragraph))
    assert set(all_cited(report)) <= {1, 2, 3}
