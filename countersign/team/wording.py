"""What of a text can be compared with another's: numbers, names, noes, and the words that tell."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from countersign.sources.terms import STOP_WORDS, words
from countersign.team.letters import is_unspaced

_NUMBER = re.compile(
    r"(?:(?<![\w)])[-+\u00b1\u2010-\u2013\u2212])?"
    r"\d+(?:[.,'\u2019:/]\d+|[ \u00a0\u2009\u202f]\d{3}(?!\d))*"
    r"[\u2070-\u2079\u00b2\u00b3\u00b9]*"
)
_DASH = re.compile(r"[\u2010-\u2013\u2212]")
_COUNTED: Sequence[str] = """
    two 2 three 3 four 4 five 5 six 6 seven 7 eight 8 nine 9 ten 10 eleven 11 twelve 12 twenty 20
    hundred 100 thousand 1000 million 1000000 millions 1000000 billion 1000000000 half 1/2 twice 2
    zwei 2 drei 3 vier 4 fünf 5 sechs 6 sieben 7 acht 8 neun 9 zehn 10 elf 11 zwölf 12
    zwanzig 20 hundert 100 tausend 1000 millionen 1000000 mio 1000000 milliarden 1000000000
    mrd 1000000000 hälfte 1/2 deux 2 trois 3 quatre 4 cinq 5 sept 7 huit 8 neuf 9 dix 10
    onze 11 douze 12 vingt 20 cent 100 mille 1000 milliard 1000000000 milliards 1000000000
    moitié 1/2
""".split()  # noqa: SIM905
_IN_WORDS: dict[str, str] = dict(zip(_COUNTED[::2], _COUNTED[1::2], strict=True))

_NEGATIVE = frozenset(
    """
    no not never none nobody nothing neither nor cannot without false untrue wrong unless hardly
    nicht nie niemals niemand nichts kein keine keinen keinem keiner keines ohne weder falsch
    kaum ne n pas jamais aucun aucune rien ni sans faux fausse ningún ninguna nunca nada sin falso
    incorrect untruth myth hoax mythos irrtum unwahr erroné erronée mythe mito falsch unzutreffend
    niente nessuno nessuna mai senza não nem sem niet niets geen nooit zonder onjuist bez nieprawda
    inte ingen inga inget aldrig ikke ingenting aldri değil yok tidak bukan không nem
    не ни нет нельзя без никогда неверно неправда ложь миф δεν δε μη μην όχι
    لا ليس ليست لم لن غير بدون לא אין בלי
    """.split()  # noqa: SIM905
)
_NEGATIVE_SIGNS = re.compile(
    r"[\u4e0d\u6ca1\u6c92\u65e0\u7121\u975e\u672a\u5047]|\u8c23\u8a00|\u8b20\u8a00|\u306a\u3044|\u307e\u305b\u3093|n['\u2019]t\b|\bnon\b(?!-)"
    r"|\uc54a|\uc544\ub2c8|\uc544\ub2d9|\uc5c6|\ubabb|\b\uc548\b|\u0e44\u0e21\u0e48|\u0e21\u0e34\u0e44\u0e14\u0e49|\u0928\u0939\u0940\u0902",
    re.IGNORECASE,
)
# What only others say, or what somebody contests.
_REPORTS = re.compile(
    r"\b(?:alleg|den(?:y|ie)|refut|reject|disput|debunk|rumou?r|purport|suppos|claim|disprov"
    r"|behaupt|angeblich|bestreit|bestritt|widerleg|dementier|ger\u00fccht"
    r"|pr\u00e9tend|all\u00e8gu|r\u00e9fut|d\u00e9ment|rumeur|niega|neg\u00f3|desmi|supuest|rumor)\w*",
    re.IGNORECASE,
)
_NAME = re.compile(r"(?<![^\W_])[^\W\d_a-z][^\W_]+(?:['\u2019-][^\W_]+)*")
_NOUNS_ARE_CAPITALISED = re.compile(r"\b(?:der|die|das|und|ist|nicht|mit|von|den|ein|eine|zu)\b")
_ACRONYM = re.compile(r"(?:[^\W\d_a-z]|\d){2,}")
_QUOTED = re.compile(
    r"\u201c([^\u201c\u201d]+)\u201d|\u201e([^\u201e\u201c\u201d]+)[\u201c\u201d]|\u00ab([^\u00ab\u00bb]+)\u00bb"
    r'|"([^"\n]+)"'
)
_QUESTION_MARKS = ("?", "\uff1f", "\u061f")
_STEM = 5


def numbers(text: str) -> list[str]:
    """Return the numbers of a text in order, those in words too, signs and separators kept."""
    found = [
        (each.start(), _DASH.sub("-", each.group()).replace("\u2019", "'"))
        for each in _NUMBER.finditer(text)
    ]
    for each in re.finditer(r"[^\W\d_]+", text):
        if number := _IN_WORDS.get(each.group().casefold()):
            found.append((each.start(), number))
    return [number for _, number in sorted(found)]


def is_number(word: str) -> bool:
    """Say whether a word in lower case is a number, or has one in it."""
    return word in _IN_WORDS or any(map(str.isdigit, word))


def names(text: str) -> list[str]:
    """Return what looks like names, except at the start of the text."""
    found = [
        each for each in _NAME.finditer(text) if text[: each.start()].strip("\"'\u201c\u201e( ")
    ]
    if not _NOUNS_ARE_CAPITALISED.search(text):
        return [each.group() for each in found]
    return [each.group() for each in found if _ACRONYM.fullmatch(each.group())] + list(_full(found))


def _full(found: list[re.Match[str]]) -> Iterator[str]:
    """Names of two words, where every noun begins with a capital letter."""
    for one, other in pairwise(found):
        if other.start() == one.end() + 1:
            yield from (one.group(), other.group())


def is_negative(text: str) -> bool:
    """Say whether a text says that something isn't so."""
    return bool(_NEGATIVE.intersection(words(text)) or _NEGATIVE_SIGNS.search(text))


def reports(text: str) -> bool:
    """Say whether a text says that something is claimed or contested by others."""
    return bool(_REPORTS.search(text))


def asks(text: str) -> bool:
    """Say whether a text is a question."""
    return text.rstrip().endswith(_QUESTION_MARKS)


def telling(text: str) -> set[str]:
    """Return the beginnings of the words that tell what a text is about."""
    found: set[str] = set()
    for word in set(words(text)) - _IN_WORDS.keys():
        if is_unspaced(word[0]):
            found |= {word[place : place + 2] for place in range(len(word) - 1)}
        elif len(word) > 2 and word not in STOP_WORDS and not word.isdigit():
            found.add(word[:_STEM])
    return found


def quoted(text: str) -> list[str]:
    """Return what stands between quotation marks in a text."""
    return ["".join(filter(None, each)) for each in _QUOTED.findall(text)]
