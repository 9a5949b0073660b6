"""What a reviewer's browser is given can do nothing but be read."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from countersign.review.chapters import LONGEST_BLOCK, chapters
from countersign.review.dialect import MOST_REFERENCED, dialect
from countersign.review.render import to_html
from testbed.cost import times_as_much


def test_markdown_becomes_html() -> None:
    html = to_html("# Title\n\nSome *text* with [a link](https://example.org).\n")
    assert "<h1>Title</h1>" in html
    assert 'href="https://example.org"' in html
    assert "noopener" in html


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "[x](javascript:alert(1))",
        "[x](JaVaScRiPt:alert(1))",
        "[x](data:text/html;base64,PHNjcmlwdD4=)",
        "![x](https://tracker.example/pixel.png)",
        '<a href="https://example.org" onclick="alert(1)">x</a>',
        "<style>*{display:none}</style>",
        "<iframe src=https://example.org></iframe>",
        "| a |\n|---|\n| <svg onload=alert(1)> |",
    ],
)
def test_no_text_becomes_active_markup(text: str) -> None:
    html = to_html(text).lower()
    for active in ("<script", "<img", "<iframe", "<style", "<svg", 'href="j', 'href="d'):
        assert active not in html


def test_an_image_is_shown_as_the_link_that_it_is() -> None:
    html = to_html("All is well. ![hidden](https://tracker.example/p.png)")
    assert "Image: <a " in html
    assert ">hidden</a>" in html
    assert 'href="https://tracker.example/p.png"' in html


@pytest.mark.parametrize(
    "address",
    [
        "javascript:alert(1)",
        "JaVaScRiPt:alert(1)",
        "java\tscript:alert(1)",
        "&#106;avascript:alert(1)",
        "&#x6A;avascript&colon;alert(1)",
        "\\javascript:alert(1)",
        "\x01javascript:alert(1)",
        "vbscript:msgbox(1)",
        "data:text/html;base64,PHNjcmlwdD4=",
        "data:image/svg+xml,<svg onload=alert(1)>",
        "file:///etc/passwd",
        "blob:https://example.org/1",
        "mailto:a@example.org",
        "//evil.example",
        "/api/operations",
        "?operation=research-1",
        "#main",
        "https:evil",
        "https://who.int@evil.example/",
        "https://who.int:443@evil.example",
    ],
)
@pytest.mark.parametrize(
    "form",
    [
        "[x]({})",
        "[x](<{}>)",
        '[x]({} "title")',
        "<{}>",
        "[x]\n\n[x]: {}",
        "[x][y]\n\n[y]: <{}>",
        "![x]({})",
        "[a [b]({}) c](https://example.org)",
        '<a href="{}">x</a>',
        "| a |\n|---|\n| [x]({}) |",
    ],
)
def test_links_lead_only_to_web_addresses(form: str, address: str) -> None:
    for name, value in attributes(to_html(form.format(address))):
        if name == "href":
            assert re.match(r"https?://[a-z.]+(/|$)", value), value


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "<ScRiPt/src=//evil.example>",
        "<img src=x onerror=alert(1)>",
        "<svg><a xlink:href='javascript:alert(1)'>x</a></svg>",
        "<math><mi href=javascript:alert(1)>x</mi></math>",
        "<div style='position:fixed' id=main class=card onclick=alert(1)>x</div>",
        "<!-- <b> --><![CDATA[<b>]]><?php x ?>",
        "<form action=//evil.example><input name=q></form>",
        "&lt;script&gt;alert(1)&lt;/script&gt;",
        "`<script>` and\n\n    <script>\n\n```html onload=alert(1)\n<script>\n```",
        '[x](https://example.org "\\"><img src=x onerror=alert(1)>")',
        "[<img src=x onerror=alert(1)>](https://example.org)",
        "# x {#main .card onclick=alert(1)}",
        '[x](https://example.org/"onmouseover=alert(1))',
        '<https://example.org/"onmouseover=alert(1)>',
        "- [ ] <style>*{display:none}</style>",
    ],
)
def test_whatever_a_text_says_only_reading_matter_comes_of_it(text: str) -> None:
    html = to_html(text)
    assert {name for name, _ in attributes(html)} <= {"href", "title", "target", "rel", "start"}
    assert elements(html) <= {"p", "h1", "a", "em", "pre", "code", "ul", "ol", "li"}


def test_a_link_opens_elsewhere_and_tells_nobody_where_from() -> None:
    link = dict(attributes(to_html("[a](https://example.org)")))
    assert link["target"] == "_blank"
    assert set(link["rel"].split()) == {"noopener", "noreferrer", "nofollow"}


@pytest.mark.parametrize(
    "words",
    [
        "https://who.int/report",
        "who.int",
        "www.who.int/report",
        "See **who**.int for more",
        "who\u200b.int",
        "who\uff0eint",
        "who\u3002int",
        "wh\u043e.int",
    ],
)
def test_a_link_whose_words_are_another_address_shows_both(words: str) -> None:
    assert "</a> (https://elsewhere.example/a)" in to_html(
        f"[{words}](https://elsewhere.example/a)"
    )


@pytest.mark.parametrize(
    "text",
    [
        "<https://who.int/report>",
        "[https://who.int/report](https://who.int/report)",
        "[who.int/report](https://who.int/report)",
        "[who.int](https://who.int/)",
        "[the report](https://who.int/report)",
        "[version 1.5](https://who.int/report)",
        "[who.int](javascript:alert)",
    ],
)
def test_a_link_with_other_words_or_its_own_address_shows_it_once(text: str) -> None:
    assert to_html(text).endswith(("</a></p>\n", "</p>\n"))
    assert "(http" not in to_html(text)


def test_what_a_link_says_when_it_is_pointed_at_is_no_address() -> None:
    assert "title" not in to_html('[the report](https://elsewhere.example "https://who.int")')
    assert 'title="From 2026"' in to_html('[the report](https://who.int "From 2026")')


def test_a_list_keeps_the_number_it_begins_with() -> None:
    assert 'start="3"' in to_html("3. third\n4. fourth\n")


SIZE = 30_000
HOSTILE = {
    "brackets": "[" * SIZE,
    "links in links": "[a](" * (SIZE // 4),
    "images": "![" * (SIZE // 2),
    "emphasis": "*a _b " * (SIZE // 6),
    "code spans": "".join("`" * length + " " for length in range(1, 240)),
    "quotes in quotes": "> " * (SIZE // 2),
    "lists in lists": "".join("  " * depth + "- a\n" for depth in range(170)),
    "definitions": "[a]: https://example.org\n" * (SIZE // 25),
    "references": "[a][b]" * (SIZE // 6),
    "a wide table": "|a" * (SIZE // 4) + "\n" + "|-" * (SIZE // 4) + "\n",
    "autolinks": "<https://" * (SIZE // 9),
    "tags": "<a " * (SIZE // 3),
    "struck": "~~a " * (SIZE // 4),
    "footnotes": "[^a] " * (SIZE // 5) + "\n\n[^a]: b\n",
    "notes in notes": "[^a]: " * (SIZE // 6),
    "signs": "&<>" * (SIZE // 3),
}


@pytest.mark.parametrize("what", HOSTILE)
def test_a_hostile_text_costs_no_more_than_many_honest_ones(what: str) -> None:
    honest = "A sentence of *a report*, with a [link](https://example.org). " * (SIZE // 60)
    work = times_as_much(lambda: to_html(HOSTILE[what]), lambda: to_html(honest))
    assert work < 100


def test_a_text_of_any_length_is_rendered() -> None:
    chapter = "## Chapter\n\nThe sea *rises*, says [a source][1].\n\n```\n## no heading\n```\n\n"
    html = to_html(chapter * (LONGEST_BLOCK // len(chapter) + 1) + "[1]: https://example.org\n")
    assert html.count("<h2>") == html.count("<em>") == html.count('href="https://example.org"')
    assert "<h2>no heading" not in html


def test_a_long_text_is_rendered_like_the_short_ones_that_it_is_made_of() -> None:
    text = (
        "- one\n\n  # in an entry\n# Title\n~~~\n# code\n```\n~~~\n> # quoted\nlazy\n    # indent\n"
    )
    read = dialect()
    assert "".join(map(read.render, chapters(text))) == read.render(text)
    assert "".join(chapters(text)) == text


def test_a_part_without_a_heading_for_too_long_is_shown_as_it_is_written_and_says_so() -> None:
    html = to_html("# Title\n\n" + "<b> *a* " * (LONGEST_BLOCK // 8 + 1) + "\n# Next\n\n*b*\n")
    assert "as it is written" in html
    assert "&lt;b&gt; *a*" in html
    assert "<h1>Next</h1>\n<p><em>b</em></p>" in html


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("~~no~~", "<s>no</s>"),
        ("- [ ] open\n- [x] done", "<li>\u2610 open</li>\n<li>\u2611 done</li>"),
        ("[ ] no entry", "<p>[ ] no entry</p>"),
        ("|a|b|\n|--:|:-:|\n|1|2|", '<td align="right">1</td>\n<td align="center">2</td>'),
        ("So[^a].\n\n[^a]: Because *why*.", "So<sup>1</sup>."),
        ("So[^a].\n\n[^a]: Because *why*.", "<ol>\n<li><p>Because <em>why</em>.</p>\n</li>\n</ol>"),
        ("[^a] has no note", "[^a] has no note"),
        ("![](https://example.org/a.png)", ">without a description</a>"),
        ("[![logo](https://a.example/b.png)](https://who.int)", ">Image: logo</a>"),
    ],
)
def test_what_githubs_markdown_adds_is_shown(text: str, shown: str) -> None:
    assert shown in to_html(text)


class Tags(HTMLParser):
    """What a browser makes of the markup."""

    def __init__(self) -> None:
        super().__init__()
        self.elements: set[str] = set()
        self.attributes: list[tuple[str, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.add(tag)
        self.attributes += [(name, value or "") for name, value in attrs]


def parsed(html: str) -> Tags:
    tags = Tags()
    tags.feed(html)
    return tags


def attributes(html: str) -> list[tuple[str, str]]:
    return parsed(html).attributes


def elements(html: str) -> set[str]:
    return parsed(html).elements


@pytest.mark.parametrize("form", ["[a]: {}", "[a]: https://example.org/ '{}'"])
@pytest.mark.parametrize("link", ["[a]", "![a]", "[a][a]", "[words][a]"])
def test_many_links_to_one_long_definition_do_not_fill_the_memory(form: str, link: str) -> None:
    long = "https://example.org/" + "x" * 60_000
    html = to_html(f"{form.format(long)}\n\n" + f"{link} " * 1_000)
    assert len(html) < 2 * MOST_REFERENCED
    assert link in html


def test_a_link_whose_words_are_another_numeric_address_has_its_own_beside_it() -> None:
    assert "(https://evil.example)" in to_html("[10.0.0.5](https://evil.example)")
    assert "(https" not in to_html("[version 10.0.0](https://evil.example)")


@pytest.mark.parametrize("address", ["/api/review", "x.md", "#part", "mailto:eve@example.org"])
def test_a_link_that_the_page_does_not_follow_shows_its_address(address: str) -> None:
    """A reader of the published file would follow it."""
    assert f"words</a> ({address})" in to_html(f"[words]({address})")
    assert f"({address})" in to_html(f"![words]({address})")


@pytest.mark.parametrize("text", ["<eve@example.org>", "[eve@example.org](mailto:eve@example.org)"])
def test_an_address_of_mail_that_is_its_own_words_is_shown_once(text: str) -> None:
    assert "mailto:" not in to_html(text)


def test_many_wide_tables_of_short_rows_do_not_fill_the_memory() -> None:
    table = "# h\n" + "|" + "a|" * 256 + "\n|" + "-|" * 256 + "\n" + "a\n" * 254 + "\n"
    html = to_html(table * 8)
    assert len(html) < 2_000_000
    assert "<table>" in html
