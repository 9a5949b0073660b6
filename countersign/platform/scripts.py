"""Words whose letters come from more than one script, such as a Cyrillic one among Latin ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from regex import Pattern

MOST_WORDS = 20
"""Words that are named; one is reason enough to look closely."""

_NAMES = (
    "Arabic Armenian Bengali Bopomofo Cyrillic Devanagari Ethiopic Georgian Greek Gujarati Gurmukhi"
    " Han Hangul Hebrew Hiragana Kannada Katakana Khmer Lao Latin Malayalam Myanmar Oriya Sinhala"
    " Tamil Telugu Thaana Thai Tibetan"
)
_SCRIPTS = tuple(_NAMES.split())
"""The scripts that are recommended for general use: UAX #31, table 5."""

_TOGETHER = (("Han", "Hiragana", "Katakana"), ("Han", "Bopomofo"), ("Han", "Hangul"))
"""What Japanese, Chinese in Taiwan, and Korean are written in: UTS #39, section 5.1."""

LIKE_LATIN: Mapping[str, str] = dict(
    zip(
        "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455\u0501\u04bb\u04cf\u051b\u051d"
        "\u043a\u043c\u0442\u0432\u043d\u03b1\u03bf\u03bd\u03c1\u03b9\u03ba\u03c5\u03c4\u0131",
        "aeopcyxijsdhlqwkmtbhaovpikuti",
        strict=True,
    )
)
"""Small letters of Cyrillic and Greek that look like Latin ones: from `confusables.txt` (UTS #39),
those that names are written with."""


@dataclass(frozen=True, kw_only=True, slots=True)
class MixedWord:
    """A word, and the scripts that its letters are of."""

    word: str
    scripts: tuple[str, ...]


def mixed_words(texts: Iterable[str]) -> list[MixedWord]:
    """Find the words of some texts that are not of one script each (UTS #39, section 5.1).

    A letter that several scripts have, and what belongs to none, is at home in all of them.
    """
    found = dict.fromkeys(word for text in texts for word in _mixed(text))
    return [MixedWord(word=word, scripts=_scripts_of(word)) for word in list(found)[:MOST_WORDS]]


def strings_in(value: Any) -> Iterator[str]:
    """Yield all texts in a JSON value, at any depth; the names of members are none."""
    if isinstance(value, str):
        yield value
    parts = value.values() if isinstance(value, Mapping) else value
    if isinstance(parts, Iterable) and not isinstance(parts, str):
        for part in parts:
            yield from strings_in(part)


def _mixed(text: str) -> Iterator[str]:
    # Most texts are of one script altogether, which is quickly seen.
    if _of_one_script().fullmatch(text) is None:
        for found in _words().finditer(text):
            if _of_one_script().fullmatch(found[0]) is None:
                yield found[0]


def _scripts_of(word: str) -> tuple[str, ...]:
    return tuple(name for name in _SCRIPTS if _letters(name).search(word))


@cache
def _of_one_script() -> Pattern[str]:
    # Imported here because few processes show what people wrote.
    import regex

    sets = [*((name,) for name in _SCRIPTS), *_TOGETHER]
    return regex.compile("|".join(f"[{_members('Common', 'Inherited', *each)}]*" for each in sets))


def _members(*scripts: str) -> str:
    return "".join(rf"\p{{scx={name}}}" for name in scripts)


@cache
def _words() -> Pattern[str]:
    import regex

    return regex.compile(r"[\p{L}\p{M}]+")


@cache
def _letters(script: str) -> Pattern[str]:
    import regex

    return regex.compile(rf"\p{{sc={script}}}")
