from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from countersign.sources.formats import read_file
from countersign.sources.index import LONGEST_PASSAGE, passages
from countersign.sources.reading import Document, Unreadable, printable
from countersign.sources.terms import stem, terms


def read(path: Path) -> Document:
    return read_file(path.name, path.read_bytes())


def test_markdown_is_read_as_the_text_it_shows(tmp_path: Path) -> None:
    path = tmp_path / "note.md"
    path.write_text(
        "# The *title*\n\nBees **dance** and [sing](http://x.example).\n\n- one\n- two\n"
    )
    document = read(path)
    assert document.title == "The title"
    assert "Bees dance and sing." in document.text
    assert "- one" in document.text
    assert "http" not in document.text


def test_html_is_read_without_scripts_and_menus(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text(
        "<html><head><title>Bees &amp; wasps</title><style>p{}</style></head><body>"
        "<nav>Home</nav><script>alert('x')</script><h1>Bees</h1><p>Bees<br>dance.</p>"
        "<ul><li><p>one</p></li></ul></body></html>"
    )
    document = read(path)
    assert document.title == "Bees & wasps"
    assert document.text == "Bees\n\nBees\ndance.\n\n- one"


def test_the_centred_title_of_a_plain_text_is_found(tmp_path: Path) -> None:
    path = tmp_path / "rfc9999.txt"
    path.write_text(
        "Internet Engineering Task Force                      A. Author\n"
        "Request for Comments: 9999                           June 2026\n\n\n"
        "                      The Dance of the Bees\n\nAbstract\n\n   Bees dance.\n"
    )
    assert read(path).title == "The Dance of the Bees"


def test_a_plain_text_without_title_is_called_as_its_file(tmp_path: Path) -> None:
    path = tmp_path / "my notes.txt"
    path.write_text("Bees dance.\n    Indented.\n")
    assert read(path).title == "my notes"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_text_is_read_in_its_encoding(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "note.txt"
    path.write_bytes("Gr\u00fc\u00dfe\r\nan alle".encode(encoding))
    assert read(path).text == "Gr\u00fc\u00dfe\nan alle"


def test_what_is_no_text_is_unreadable(tmp_path: Path) -> None:
    path = tmp_path / "note.txt"
    path.write_bytes(b"\x89PNG\r\n\x1a\n\x00")
    with pytest.raises(Unreadable):
        read(path)


def test_characters_that_deceive_the_eye_are_removed() -> None:
    assert printable("pay\u202eload\u200b\x07\x0cnext") == "payload\nnext"


@given(st.text(alphabet=st.sampled_from("ab. \n"), max_size=9_000))
def test_passages_are_in_order_disjoint_bounded_and_lose_no_word(text: str) -> None:
    spans = list(passages(text))
    assert all(0 < end - start <= LONGEST_PASSAGE for start, end in spans)
    assert all(before[1] <= after[0] for before, after in pairwise(spans))
    assert "".join("".join(text[a:b].split()) for a, b in spans) == "".join(text.split())


@pytest.mark.parametrize(
    "same",
    [
        "retry retries retried retrying",
        "plan plans planned planning",
        "compensation compensations compensate compensated",
        "determinism deterministic",
        "execute executed execution",
        "durable durability",
        "crash crashes crashed",
        "policy policies",
        "idempotent idempotency",
    ],
)
def test_forms_of_a_word_are_one_term(same: str) -> None:
    assert len(set(terms(same))) == 1


@given(st.text(min_size=1, max_size=30))
def test_a_stem_is_never_empty(word: str) -> None:
    assert stem(word)


def test_words_without_meaning_of_their_own_are_no_terms() -> None:
    assert terms("It isn't what you don\u2019t have") == []


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("Text.\n\nSource: A. Author, <https://a.example/x>\n", "https://a.example/x"),
        (
            "Source: A. Author,\n<https://a.example/x>; B, <https://b.example>\n",
            "https://a.example/x",
        ),
        ("Source: a book on paper\n\nSee https://a.example\n", None),
        ("Source: <javascript:alert(1)>\n", None),
        ("Source: the WHO, <https://who.int@evil.example/>\n", None),
        ("The source: https://a.example\n", None),
    ],
)
def test_the_address_that_a_document_names_as_its_source_is_found(
    tmp_path: Path, text: str, url: str | None
) -> None:
    for name in ("note.md", "note.txt"):
        file = tmp_path / name
        file.write_text(text)
        assert read(file).url == url
