"""A report is edited as it is read, and what nobody touches stays as it was, byte for byte."""

from __future__ import annotations

import random
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from countersign.review.render import to_html

BLOCKS = [
    "# Tides",
    "Seas\n====",
    "The sea is *high* [1], and **wide** [2, 3].\nIt falls.",
    "One line,  \nand another\\\none.",
    "- a\n- b\n  - c\n- d",
    "* loose\n\n* list\n\n  with more",
    "3) three\n4) four",
    "- [ ] to do\n- [x] done",
    "> “High at noon.” [1], p. 3\n>\n> More.",
    "| sea | metres |\n|:--|--:|\n| North | 3 \\| 4 |\n|Baltic|~~0~~|",
    "| a |\n|---|\n| 1 | 2 | 3 |",
    "Noon.[^n] See <https://seas.example/a?b=1&c=2> and https\\://seas.example.",
    "See [text][ref].",
    "[^n]: At noon.",
    "[ref]: https://seas.example 'Seas'",
    "הים **גבוה** בצהריים [1].",
    "البحر مرتفع.",
    "```py\nsea = 3\n\n# no heading\n```",
    "    indented = 1",
    "***",
    "<div>AT&T &copy; a_b_c \\[1\\] 2 * 3 #4</div>",
    '![a chart](https://seas.example/c.png "Chart") `co|de`',
]
BETWEEN = ["\n\n", "\n\n\n", "\n \n", "\n\n\t\n"]
ENDS = ["", "\n", "\n\n"]

IN_PAGE = """async ([texts, word]) => {
  const at = (path) => import(new URL(`review/${path}`, document.baseURI).href);
  const { Markdown } = await at("writing/markdown.js");
  const library = await at("library/prosemirror.js");
  const touched = (markdown, place) => {
    const state = library.EditorState.create({ doc: markdown.doc });
    let end = 0;
    markdown.doc.forEach((node, start, each) => {
      if (each === place) end = start + node.nodeSize;
    });
    while (!state.doc.resolve(end).parent.inlineContent) end -= 1;
    return markdown.textOf(state.tr.insertText(word, end).doc);
  };
  return texts.map((text) => {
    const markdown = new Markdown(library, text);
    const places = [...Array(markdown.doc.childCount).keys()];
    const names = places.map((place) => markdown.doc.child(place).type.name);
    const editable = places.filter((place) => markdown.doc.child(place).content.size);
    const all = editable.map((place) => [place, touched(markdown, place)]);
    return [names, markdown.textOf(markdown.doc), all];
  });
}"""


def texts() -> list[list[str]]:
    """Each block alone, and texts of several, put together by chance but always the same.

    Each is given as its blocks, with what stands before, between and after them.
    """
    chance = random.Random(21)  # noqa: S311 - it has to be the same each time
    made = [["", block, "\n"] for block in BLOCKS]
    for _ in range(200):
        parts = [chance.choice(["", "\n"])]
        for _ in range(chance.randint(1, 9)):
            parts += [chance.choice(BLOCKS), chance.choice(BETWEEN)]
        made.append([*parts[:-1], chance.choice(ENDS)])
    return made


@pytest.fixture
def writing(visit: Any, offered: str) -> Any:
    """A version whose text is being edited."""
    review = visit("Victor").review(offered)
    review.begin("Edit")
    expect(review.written).to_be_visible()
    return review


def read(
    page: Page, texts: list[str], word: str = ""
) -> list[tuple[list[str], str, list[tuple[int, str]]]]:
    return page.evaluate(IN_PAGE, [texts, word])


def test_a_text_that_nobody_touches_stays_as_it_was(writing: Any, offered: str, desk: Any) -> None:
    path = f"operations/{offered}/proposals/1"
    report = desk.host.call("GET", path, desk.reviewer).json()["content"]["text"]
    all_texts = [report, "", "\n\n", *map("".join, texts())]
    for text, (_, back, _) in zip(all_texts, read(writing.page, all_texts), strict=True):
        assert back == text


def test_a_block_that_is_touched_leaves_the_others_as_they_were(writing: Any) -> None:
    whole = [*map("".join, texts())]
    seen = 0
    for parts, text, (names, _, touched) in zip(
        texts(), whole, read(writing.page, whole, "Zz"), strict=True
    ):
        for place, changed in touched:
            assert changed.count("Zz") == 1
            # Where the reader can't tell one block from the next, such as two lists, they are one.
            if len(names) == len(parts) // 2:
                assert changed.startswith("".join(parts[: 2 * place + 1]))
                assert changed.endswith("".join(parts[2 * place + 2 :]))
                seen += 1
            if names[place] != "raw":
                assert shown(changed.replace("Zz", "")) == shown(text)
    assert seen > 300


def shown(markdown: str) -> str:
    """What readers see of a text; where the lines of a paragraph end, they can't tell."""
    return " ".join(to_html(markdown).split())


def test_what_would_lose_something_is_edited_in_markdown(writing: Any) -> None:
    kinds = [names for names, _, _ in read(writing.page, BLOCKS)]
    raw = [text for text, names in zip(BLOCKS, kinds, strict=True) if "raw" in names]
    assert raw == [
        "| a |\n|---|\n| 1 | 2 | 3 |",
        "[^n]: At noon.",
        "[ref]: https://seas.example 'Seas'",
        "    indented = 1",
    ]


def test_one_writes_in_the_text_as_it_is_read(writing: Any) -> None:
    page, written = writing.page, writing.written
    before = writing_of(writing)
    written.get_by_role("heading").first.click()
    page.keyboard.press("End")
    page.keyboard.type(" of today")
    expect(written.get_by_role("heading").first).to_contain_text("of today")
    first, _, rest = before.partition("\n")
    assert writing_of(writing) == f"{first} of today\n{rest}"
    page.keyboard.press("Control+z")
    assert writing_of(writing) == before
    assert Axe().run(page).violations_count == 0
    page.set_viewport_size({"width": 320, "height": 640})
    assert page.evaluate("document.documentElement.scrollWidth") <= 320


def writing_of(review: Any) -> str:
    """The Markdown that would be sent."""
    return review.page.locator("#own-text").input_value()


def test_a_quote_that_is_changed_turns_amber_at_once(writing: Any) -> None:
    page = writing.page
    quote = writing.written.get_by_role("paragraph").filter(has_text="“").last
    expect(page.locator(".quote-broken")).to_have_count(0)
    quote.click()
    page.keyboard.type("never ")
    expect(page.locator(".quote-broken")).to_have_count(1)
    expect(page.locator(".broken-quotes")).to_contain_text("no longer stand in your text")
    page.keyboard.press("Control+z")
    expect(page.locator(".quote-broken")).to_have_count(0)
    expect(page.locator(".broken-quotes")).to_be_empty()


def test_what_is_pasted_comes_as_its_words_alone(writing: Any) -> None:
    page = writing.page
    writing.written.get_by_role("heading").first.click()
    page.keyboard.press("End")
    page.evaluate(
        """() => {
          const clipboardData = new DataTransfer();
          clipboardData.setData("text/html", "<b onclick='x()'>Bold</b><img src='//x.example/y'>");
          clipboardData.setData("text/plain", "Bold *words*\\r\\nand more");
          const said = { clipboardData, bubbles: true, cancelable: true };
          const paste = new ClipboardEvent("paste", said);
          document.activeElement.dispatchEvent(paste);
        }"""
    )
    expect(writing.written).to_contain_text("and more")
    text = writing_of(writing)
    assert r"Bold \*words\*" in text
    assert "<b" not in text
    assert "x.example" not in text


def test_the_keyboard_leads_on_out_of_the_text(writing: Any) -> None:
    writing.written.focus()
    writing.page.keyboard.press("Tab")
    expect(writing.written).not_to_be_focused()


def test_markdown_is_one_click_away_and_brings_its_changes_back(writing: Any) -> None:
    field = writing.markdown
    expect(writing.written).to_have_count(0)
    field.fill("# Mine\n\n- one\n")
    writing.page.get_by_role("button", name="Edit with formatting").click()
    expect(writing.written.get_by_role("listitem")).to_have_text("one")
    expect(writing.written).to_be_focused()


def test_an_editor_whose_text_is_replaced_ends(visit: Any, offered: str) -> None:
    victor = visit("Victor")
    first, second = victor.review(offered), victor.review(offered)
    for review in (first, second):
        review.begin("Edit")
    before = first.written.element_handle()
    second.markdown.fill("# Second\n")
    first.decide.get_by_role("button", name="Use it here").click()
    expect(first.written).to_have_text("Second")
    # It takes itself out of what held it, which the page does not show any more either.
    assert before.evaluate("editor => editor.parentElement === null")


def test_nobody_loads_the_editor_who_does_not_write(visit: Any, offered: str) -> None:
    review = visit("Victor").review(offered)
    asked: list[str] = []
    review.page.on("request", lambda request: asked.append(request.url))
    review.begin("Approve")
    expect(review.page.locator("#comment")).to_be_visible()
    assert not [url for url in asked if "library" in url]
    review.begin("Edit")
    expect(review.written).to_be_visible()
    assert len([url for url in asked if "library" in url]) == 1
