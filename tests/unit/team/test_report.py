from __future__ import annotations

from html import unescape
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from countersign.sources.documents import DocumentLibrary
from countersign.sources.library import Source
from countersign.sources.memory import MemoryLibrary
from countersign.sources.origin import Origin
from countersign.sources.reading import printable
from countersign.team.models import CheckedFinding, Report, Section, SubtopicFinding
from countersign.team.quotes import checked
from countersign.team.report import plain, titled, to_markdown

COLOPHON = "Written by nobody."
RETRY = "Every retry needs a limit, and every call a timeout."
TIMER = "A durable timer outlives the process that made it."
LIBRARY = DocumentLibrary(
    [
        {"title": "Retries", "text": RETRY, "url": "https://example.org/retries"},
        {"title": "Timers *and* [more](http://x)", "text": TIMER},
    ],
    "Rita",
)
FINDINGS = [
    CheckedFinding(claim=claim, quote=quote, source=source, subtopic="Faults", found=True)
    for claim, quote, source in [
        ("Retries must be limited.", RETRY, "doc-1"),
        ("Timers survive.", TIMER, "doc-2"),
        ("Calls need timeouts.", RETRY, "doc-1"),
    ]
]


def markdown(summary: str, *bodies: str, note: str = "") -> str:
    sections = [Section(heading="Faults", body=body) for body in bodies]
    report = Report(title="On faults", summary=summary, sections=sections, note=note)
    return to_markdown(report, FINDINGS, LIBRARY, COLOPHON)


def test_a_report_has_all_its_parts_in_order() -> None:
    text = markdown("Timers survive [2].", "Retries are limited [1].\n\nSo are calls [3].")
    assert text == (
        "# On faults\n\n"
        "Timers survive [1].\n\n"
        f"> \u201c{TIMER}\u201d [1]\n\n"
        "## Faults\n\n"
        "Retries are limited [2].\n\n"
        "So are calls [2].\n\n"
        f"> \u201c{RETRY}\u201d [2]\n\n"
        f"> \u201c{RETRY}\u201d [2]\n\n"
        "## Sources\n\n"
        "1. A document that Rita sent with the request (doc-2). Stated title, not checked:"
        " \u201cTimers \\*and\\* \\[more\\](http\\://x)\u201d.\n"
        "2. A document that Rita sent with the request (doc-1). Stated title, not checked:"
        " \u201cRetries\u201d. Stated address, not checked: https\\://example.org/retries.\n\n"
        "*Written by nobody.*\n"
    )


def test_claims_of_one_source_are_cited_once() -> None:
    assert "Limited [1]." in markdown("Limited [1][3].", "Limited [1].")


def test_a_quote_that_the_text_has_already_is_not_repeated() -> None:
    assert markdown("Limits [1].", f"\u201c{RETRY}\u201d [1]").count(RETRY) == 1


def test_a_quote_is_printed_in_the_words_of_its_source() -> None:
    source = "It is known. Every retry needs\na *limit* \u2013 always. Or not."
    text = quoting("every retry needs a limit - always", source)
    assert "> \u201cEvery retry needs a limit \u2013 always\u201d [1]" in text
    assert "## Quotes in their sentences" not in text


def test_a_quote_that_is_a_part_of_a_sentence_shows_the_rest_of_it() -> None:
    source = "So it is. It is false that retries need a limit, said Dr. Lee. And so on."
    text = quoting("Retries need a limit.", source)
    assert "> \u201c\u2026 retries need a limit \u2026\u201d [1]" in text
    assert "- \u201cIt is false that retries need a limit, said Dr. Lee.\u201d [1]" in text


def test_a_row_of_a_table_is_no_part_of_a_sentence() -> None:
    for source in ("Name;Count\nA row;12\nAnother;13\n", "| Name | n |\n| A row | 12 |\n| B | 1 |"):
        row = source.split("\n")[1].strip(" |")
        assert f"> \u201c{row.replace('|', chr(92) + '|')}\u201d [1]" in quoting(row, source)


def quoting(quote: str, source: str) -> str:
    library = DocumentLibrary([{"title": "One", "text": source}])
    finding = SubtopicFinding(claim="A claim.", quote=quote, source="doc-1", subtopic="Faults")
    section = Section(heading="Faults", body="It is so [1].")
    report = Report(title="On faults", summary="It is so [1].", sections=[section])
    return to_markdown(report, checked([finding], library), library, COLOPHON)


AT = "2026-11-30T12:05:00+00:00"
WHO = "https://www.who.int/retries"
STATED = " Stated address, not checked: https\\://www\\.who.int/retries."


@pytest.mark.parametrize(
    ("origin", "described"),
    [
        (
            {"kind": "fetched", "at": AT},
            f"WHO: on retries. Fetched by Countersign on 2026-11-30 at 12:05 UTC from <{WHO}>.",
        ),
        (
            {"kind": "fetched", "at": AT, "service": "Wikipedia"},
            "WHO: on retries. Fetched by Countersign on 2026-11-30 at 12:05 UTC from"
            f" <{WHO}>, found by Wikipedia.",
        ),
        ({"kind": "library"}, f"WHO: on retries. From the library (s-1).{STATED}"),
        (
            {"kind": "request", "by": "Rita *R*"},
            "A document that Rita \\*R\\* sent with the request (s-1)."
            f" Stated title, not checked: \u201cWHO: on retries\u201d.{STATED}",
        ),
        (  # as it was recorded before names were
            {"kind": "request"},
            "A document that the requester sent with the request (s-1)."
            f" Stated title, not checked: \u201cWHO: on retries\u201d.{STATED}",
        ),
        (
            {"kind": "service", "service": "the MCP server", "at": AT},
            "A document that the MCP server provided on 2026-11-30 at 12:05 UTC."
            f" Stated title, not checked: \u201cWHO: on retries\u201d.{STATED}",
        ),
        (None, f"WHO: on retries (s-1; its origin was not recorded).{STATED}"),
    ],
)
def test_each_source_says_where_it_came_from_and_what_is_only_stated(
    origin: dict[str, Any] | None, described: str
) -> None:
    came = Origin(digest="0" * 64, **origin) if origin else None
    source = Source(id="s-1", title="WHO: on retries", url=WHO, origin=came)
    finding = CheckedFinding(
        claim="A claim.", quote=RETRY, source="s-1", subtopic="Faults", found=True
    )
    section = Section(heading="Faults", body="It is so [1].")
    report = Report(title="On faults", summary="It is so [1].", sections=[section])
    text = to_markdown(report, [finding], MemoryLibrary([(source, RETRY, ())]), COLOPHON)
    assert f"## Sources\n\n1. {described}\n" in text


def test_a_heading_that_is_a_stated_title_stands_in_quotation_marks() -> None:
    for origin, shown in (
        (Origin(kind="request", digest="0" * 64), "\u201cWHO: on retries\u201d"),
        (Origin(kind="library", digest="0" * 64), "WHO: on retries"),
    ):
        source = Source(id="s-1", title="WHO: on retries", origin=origin)
        finding = CheckedFinding(
            claim="A claim.", quote=RETRY, source="s-1", subtopic="Faults", found=True
        )
        sections = [Section(heading=each, body="So [1].") for each in ("WHO: On retries", "Other")]
        report = Report(title="WHO: on retries", summary="It is so [1].", sections=sections)
        text = to_markdown(report, [finding], MemoryLibrary([(source, RETRY, ())]), COLOPHON)
        assert text.startswith(f"# {shown}\n")
        assert f"## {shown.replace('on', 'On', 1)}\n" in text
        assert "## Other\n" in text


@pytest.mark.parametrize(
    ("title", "topic", "shown"),
    [
        ("Retries cause outages", "retries cause outages.", "Topic: Retries cause outages"),
        ("Limits", "Limits", "Topic: Limits"),
        ("Do retries cause outages?", "Do retries cause outages?", "Do retries cause outages?"),
        (
            "Why retries cause outages",
            "Why retries cause outages",
            "Topic: Why retries cause outages",
        ),
        ("\u91cd\u8bd5\u5417\uff1f", "\u91cd\u8bd5\u5417\uff1f", "\u91cd\u8bd5\u5417\uff1f"),
        ("On limits", "Retries cause outages", "On limits"),  # the writer's own, which is judged
    ],
)
def test_a_title_that_only_repeats_a_topic_claims_nothing(
    title: str, topic: str, shown: str
) -> None:
    assert titled(title, topic) == shown


def test_only_an_address_that_was_fetched_is_a_link() -> None:
    address = "http://evil.example and https://evil.example/x, www.evil.example"
    text = plain(address)
    assert MarkdownIt("commonmark").renderInline(text) == address
    assert text.count("\\") == 3


def test_a_note_to_the_reviewer_is_no_part_of_the_text() -> None:
    assert "Shortened" not in markdown("Limits [1].", "Limits [1].", note="Shortened.")


def test_a_number_that_is_no_claim_is_not_shown() -> None:
    assert "[7]" not in markdown("Limits [1][7].", "Limits [1] [70].")


@pytest.mark.parametrize(
    "hostile",
    [
        "[1](http://evil.example)",  # a link made of a citation
        "[1]: http://evil.example",  # where all citations would lead
        "![x](http://evil.example/pixel) [1]",  # an image that tells who reads
        "<img src=http://evil.example> [1]",  # the same in HTML
        "<http://evil.example> [1]",  # a bare link
        "[1] [evil][1]",  # a link by reference
        "\\[1](http://evil.example) [1]",  # an escape of the escape
        "`code` # Heading [1]",  # other markup
        "# Approved by the board [1]",  # a heading
        "> \u201cInvented quote\u201d [1]",  # a quote of its own
        "1. Retries (forged) [1]",  # a source of its own
        "--- [1]",  # a rule
        "&lt;b&gt; [1]",  # an entity
        "__Approved__ by _all_ [1]",  # emphasis
    ],
)
def test_no_text_can_pass_for_markup(hostile: str) -> None:
    text = markdown(hostile, hostile).split("## Sources")[0]
    html = MarkdownIt("commonmark").render(text)
    allowed = {"<h1>", "</h1>", "<h2>", "</h2>", "<p>", "</p>", "<blockquote>", "</blockquote>"}
    tags = {f"<{tag.split('>')[0]}>" for tag in html.split("<")[1:]}
    assert tags <= allowed
    assert html.count("<h1>") == 1
    assert html.count("<h2>") == 1
    assert html.count("<blockquote>") == 1


@given(st.text(max_size=200) | st.text(alphabet="_*`[]()<>!#-+=1.&; ab\\\n", max_size=40))
def test_markdown_shows_plain_text_as_it_is(text: str) -> None:
    html = MarkdownIt("commonmark").render(plain(text))
    shown = html.removeprefix("<p>").removesuffix("</p>\n")
    assert "<" not in shown
    assert unescape(shown) == " ".join(printable(text).split())


def test_names_in_code_keep_their_looks() -> None:
    assert plain("call wait_for_external_event(1 - 2)") == "call wait_for_external_event(1 - 2)"
