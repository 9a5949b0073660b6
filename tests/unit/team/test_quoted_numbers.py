"""A number in a quote is the source's number, or the quote falls."""

from __future__ import annotations

import re

from hypothesis import assume, given
from hypothesis import strategies as st

from countersign.team.quotes import stands_in

DIGITS = "0123456789"
DASHES = "-\u2010\u2011\u2012\u2013\u2014\u2015\u2212"
SEPARATORS = ".,'\u2019:/"
SIGNS = ["", "-", "\u2212", "\u2013", "+", "\u00b1", "<", "\u2248"]
UNITS = ["", "", "%", " %", "\u00b2", "\u207b\u2076", " \u20ac", " million"]
AROUND = [
    ("The share of all users rose to ", " in the year that followed."),
    ("Der Anteil der Nutzer stieg (", ") im Jahr danach weiter an."),
    (
        "人口在那一年增加到 ",
        " 为止\uff0c之后下降\u3002",
    ),
]


@st.composite
def numbers(draw: st.DrawFn) -> str:
    groups = draw(st.lists(st.text(DIGITS, min_size=1, max_size=3), min_size=1, max_size=3))
    number = groups[0]
    for group in groups[1:]:
        number += draw(st.sampled_from([*SEPARATORS, " ", "\u00a0", *DASHES, " \u2013 "])) + group
    unit = draw(
        st.sampled_from(["", "", "%", " %", "\u00b2", "\u207b\u2076", " \u20ac", " million"])
    )
    return draw(st.sampled_from(SIGNS)) + number + unit


def plain(number: str) -> str:
    """The number in the form in which a change of looks alone makes no difference."""
    plain = re.sub(f"[{DASHES}]", "-", " ".join(number.split()).replace("\u2019", "'"))
    plain = re.sub(r"(?<=[\d%\u20ac]) ?- (?=[\d\u20ac])", "-", plain)  # or at a line's end
    return re.sub(r" (?=[%\u20ac:])", "", plain)


def changes(number: str) -> st.SearchStrategy[str]:
    """A digit, sign or separator more, less, or another."""
    places = st.integers(0, len(number) - 1)
    signs = st.sampled_from([*DIGITS, *SEPARATORS, *DASHES, " ", "+", "%", "\u00b2"])
    kinds = st.sampled_from(["put", "drop", "other"])

    def changed(place: int, sign: str, kind: str) -> str:
        kept = place if kind == "put" else place + 1
        return number[:place] + ("" if kind == "drop" else sign) + number[kept:]

    return st.builds(changed, places, signs, kinds)


@given(numbers(), st.sampled_from(AROUND))
def test_every_number_stands_in_its_own_sentence(number: str, around: tuple[str, str]) -> None:
    source = number.join(around)
    assert stands_in(source, source)
    assert stands_in(source, f"It is so. {source} Or not.")


@given(numbers(), st.sampled_from(AROUND), st.data())
def test_a_changed_digit_sign_or_separator_falls(
    number: str, around: tuple[str, str], data: st.DataObject
) -> None:
    other = data.draw(changes(number))
    assume(plain(other) != plain(number))
    assert not stands_in(other.join(around), number.join(around)), (other, number)


@given(numbers(), st.sampled_from(AROUND), st.data())
def test_a_number_is_never_cut(number: str, around: tuple[str, str], data: st.DataObject) -> None:
    before, after = around
    source = number.join(around)
    place = data.draw(st.integers(1, len(number)))
    begun, left = number[:place], number[place:]
    if any(map(str.isdigit, begun)) and left.strip():
        assert not stands_in(before + begun, source), begun
    if any(map(str.isdigit, left)) and begun.strip():
        assert not stands_in(left + after, source), left


@given(numbers(), st.sampled_from(DASHES), st.sampled_from(AROUND))
def test_how_a_dash_looks_makes_no_difference(
    number: str, dash: str, around: tuple[str, str]
) -> None:
    assume("\u2014" not in number)
    assume("\u2015" not in number)
    assume(dash not in "\u2014\u2015")
    other = "".join(dash if character in DASHES else character for character in number)
    assert stands_in(other.join(around), number.join(around)), (other, number)
