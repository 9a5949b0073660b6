"""Words that make another quantity of the number beside them: multipliers, units, signs, ranges."""

from __future__ import annotations

from typing import Final

from countersign.team.wording import is_number

LONGEST: Final = 12
"""Characters of a word that are looked at."""

# "5" is another number than "5 million" or "5 percent", in the languages that readers here use.
_MULTIPLIERS = """
    hundred thousand million billion trillion dozen bn mn pct percent permille lakh lakhs crore
    hundert tausend million millionen milliarde milliarden mio mrd prozent promille
    cent mille millions milliard milliards pourcent pourmille
    ciento cien mil millón millones porciento mila milione milioni miliardo miliardi percento
    milhão milhões bilhão bilhões procent miljoen miljard miljoner miljarder tusen
    tysięcy mln mld mlrd tys
    тыс тысяча тысячи тысяч млн млрд миллион миллиона миллионов
    миллиард миллиарда миллиардов процент процента процентов
    χιλιάδες εκατομμύρια δισεκατομμύρια
    ألف آلاف مليون ملايين مليار مليارات אלף מיליון מיליארד
    हजार लाख करोड़ 만 억
"""
_UNITS = """
    k m pp bp mg µg μg g kg t km cm mm l ml w kw mw gw kwh mwh gwh hz khz mhz ghz
    usd eur gbp chf jpy cny inr cad aud sek nok dkk pln rub brl
"""
_AFTER = frozenset((_MULTIPLIERS + _UNITS).casefold().split())
_MULTIPLIED = frozenset(_MULTIPLIERS.casefold().split())
_CURRENCIES = frozenset(_UNITS.split()[-15:])
_SIGNS_AND_RANGES = """
    minus moins menos meno минус ناقص 영하
    to till bis à tot до إلى
"""
_MINUS, _TO = (frozenset(line.split()) for line in _SIGNS_AND_RANGES.strip().splitlines())


def goes_on(last: str, following: str, after: str) -> bool:
    """Say whether what stands after a number makes it another quantity.

    Args:
        last: the word or number, in lower case.
        following: the word after it.
        after: the word after that.
    """
    words = _AFTER if last[-1:].isnumeric() else _MULTIPLIED if is_number(last) else ()
    if following in words or following + after in words:
        return True
    return last[-1:].isnumeric() and following in _TO and after[:1].isnumeric()


def begins_before(before: str, previous: str) -> bool:
    """Say whether a number is negative, another currency's or a range's by the word before it.

    Args:
        previous: that word, in lower case.
        before: the word or number before that.
    """
    if previous in _MINUS or previous in _CURRENCIES:
        return True
    return previous in _TO and before[-1:].isnumeric()
