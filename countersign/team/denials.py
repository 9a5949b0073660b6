"""A sentence of its own, before or after a quote, that says of it that it isn't so."""

from __future__ import annotations

import re
from enum import Enum, auto

from countersign.sources.terms import words
from countersign.team.letters import is_unspaced
from countersign.team.sentences import sentences
from countersign.team.wording import asks, is_negative

FARTHEST = 5_000
"""Characters on either side of a quote that are looked at, within its section."""

LONGEST = 200
"""Characters of such a sentence: it has no more to say than that."""

_MOST_WORDS = 12
"""Of a sentence about the one before it: a longer one says something of its own."""

_INTRODUCES = re.compile(r"[:\uff1a]\s*(?:\n|\Z)")
"""What has such a colon introduces a list or a text, which `introductions` looks at."""

_LONGEST_HEADING = 100
_BLANK_LINE = re.compile(r"\n[ \t]*\n\s*")
_ITEM = re.compile(r"\s*(?:[-*+\u2022\u2023\u2043\u25aa\u25e6]|\(?\d{1,3}[.)])\s")
_STOPS = tuple(".!?\u2026:;,\u061f\u06d4\u0964\u3002\uff01\uff1f\uff1a|\"'\u201d\u2019)")


class DeniedPart(Enum):
    """What a denial is of."""

    FOLLOWING = auto()
    ALL = auto()
    PREVIOUS = auto()


_UNTRUE = re.compile(
    r"(?<![=`'\"])\b(?:false|untrue|wrong|incorrect|inaccurate|refuted|rebutted|debunked|disprove[dn]|denied"
    r"|retracted|discredited|disputed|contested|unfounded|baseless|myths?|hoax(?:es)?|nonsense"
    r"|a lie|falsch|unwahr|unrichtig|unzutreffend|widerlegt|bestritten|dementiert|gelogen"
    r"|haltlos|unsinn|faux|fausses?|inexacte?s?|r\u00e9fut\u00e9e?s?|d\u00e9mentie?s?"
    r"|infond\u00e9e?s?|contest\u00e9e?s?"
    r"|erron\u00e9e?s?|mensonges?|fals[oaie]s?|refutad[oa]s?|desmentid[oa]s?|infundad[oa]s?"
    r"|mentiras?"
    r"|smentit[oaie]|infondat[oaie]|confutat[oaie]|onwaar|onjuist|weerlegd|gelogen|nieprawda"
    r"|nieprawd\u0105|fa\u0142sz\w*|obalon\w*|falskt?e?|osant?|felaktigt?|motbevisa\w*|usande?"
    r"|usant|tilbakevist"
    r"|\u043d\u0435\u043f\u0440\u0430\u0432\u0434\u0430|\u043b\u043e\u0436\u044c"
    r"|\u043b\u043e\u0436\u043d\w*"
    r"|\u043e\u043f\u0440\u043e\u0432\u0435\u0440\u0433\u043d\u0443\u0442\w*"
    r"|\u043d\u0435\u0432\u0435\u0440\u043d\u043e)\b"
    r"|\u865a\u5047|\u865b\u5047|\u5047\u7684|\u8c23\u8a00|\u8b20\u8a00|\u9519\u8bef|\u932f\u8aa4"
    r"|\u4e0d\u5b9e|\u4e0d\u5be6|\u9a73\u65a5|\u99c1\u65a5|\u865a\u507d|\u5618|\u30c7\u30de"
    r"|\u8aa4\u308a|\u9593\u9055\u3044"
    r"|\uac70\uc9d3|\ud5c8\uc704|\u0643\u0627\u0630\u0628|\u05e9\u05e7\u05e8",
    re.IGNORECASE,
)
# Of things these have another sense: "It was invented in 1790."
_MADE_UP = re.compile(
    r"\b(?:invented|fabricated|made up|fiction|erfunden|erdichtet|invent\u00e9e?s?|inventad[oa]s?"
    r"|inventat[oaie]|verzonnen|zmy\u015blon\w*|p\u00e5hittat?|opdigtet|oppdiktet"
    r"|\u0432\u044b\u0434\u0443\u043c\w*)\b",
    re.IGNORECASE,
)
_TRUE = re.compile(
    r"\b(?:true|truth|correct|accurate|right|the case|believe|so(?=\W*\Z)|wahr|richtig|stimmt"
    r"|zutreffend|trifft|zu glauben|vraie?s?|exacte?s?|v\u00e9rit\u00e9|ciert[oa]s?|verdad"
    r"|verdader[oa]s?"
    r"|ver[oaie]|verit\u00e0|verdade|verdadeir[oa]s?|waar|juist|klopt|prawd[a\u0105]|prawdziw\w*"
    r"|sant|sandt?|stemmer"
    r"|st\u00e4mmer|\u043f\u0440\u0430\u0432\u0434\u0430|\u0432\u0435\u0440\u043d\u043e"
    r"|\u0442\u0430\u043a(?=\W*\Z)|\u0635\u062d\u064a\u062d\w*|\u05e0\u05db\u05d5\u05df"
    r"|\u05d0\u05de\u05ea)\b"
    r"|\u771f\u7684|\u771f\u5b9e|\u771f\u5be6|\u5c5e\u5b9e|\u5c6c\u5be6|\u4e8b\u5b9e|\u4e8b\u5be6"
    r"|\u4e8b\u5b9f|\u771f\u5b9f|\u6b63\u786e|\u6b63\u78ba|\u6b63\u3057|\u672c\u5f53|\uc0ac\uc2e4"
    r"|\u0938\u091a|\u091a\u0930\u093f\u0902|\u0e08\u0e23\u0e34\u0e07",
    re.IGNORECASE,
)
_FAR_FROM = re.compile(
    r"\b(?:far from|anything but|weit entfernt von|alles andere als|loin d['\u2019]\u00eatre"
    r"|tout sauf|lejos de ser|todo menos|tutt['\u2019]altro che|longe de ser|tudo menos"
    r"|verre van|allesbehalve|l\u00e5ngt ifr\u00e5n|langt fra)\b",
    re.IGNORECASE,
)
# What a verdict of a few words has besides the one that it is of: "Simply not true at all."
_ADDS_NOTHING = re.compile(
    r"(?:a|all|at|absolutely|completely|entirely|just|plain(?:ly)?|quite|simply|totally|utterly"
    r"|einfach|ganz|schlicht|so|zu|v\u00f6llig|c'est|compl\u00e8tement|totalement|es|est|completamente"
    r"|totalmente|\u00e8|\u00e9|gewoon|helemaal|helt|to|jest|\uc774|\uac00|\u0939\u0948"
    r"|\u4e0d|\u4e0d\u662f|\u5e76\u4e0d|\u5e76\u975e|\u4e26\u975e|\u975e|\u662f|\u7684|\u3067\u3059"
    r"|(?:\u3067\u306f|\u3058\u3083)(?:\u306a\u3044|\u3042\u308a\u307e\u305b\u3093)|\u0e44\u0e21\u0e48)",
    re.IGNORECASE,
)
_TIMES = (
    r"(?:day|night|morning|week|month|year|decade|centur|season|summer|winter|spring|autumn|jahr"
    r"|tag"
    r"|monat|woche|ann\u00e9e|jour|mois|semaine|a\u00f1o|d\u00eda|mes\b|semana|anno|giorno|mese)"
)
_OF_THE_FOLLOWING = re.compile(
    rf"\b(?:following|folgende[nsrm]?|suivante?s?|siguientes?|seguent[ei]|seguintes?|volgende"
    rf"|f\u00f6ljande|f\u00f8lgende"
    rf"|\u0441\u043b\u0435\u0434\u0443\u044e\u0449\w*)\b(?!\s+{_TIMES})"
    r"|\b(?:what follows|(?:everything|nothing|all|claims?|statements?) below|nachstehend\w*"
    r"|im folgenden|ci-dessous|ce qui suit|lo que sigue|quanto segue|o que se segue|onderstaande"
    r"|nast\u0119puj\u0105c\w*|poni\u017csz\w*)\b|\u4ee5\u4e0b|\u4e0b\u5217|\ub2e4\uc74c"
    r"|\u0627\u0644\u062a\u0627\u0644\u064a",
    re.IGNORECASE,
)
_OF_ALL = re.compile(
    r"\b(?:(?:all|none|nothing|everything|neither|both|not a word|every word|no part) (?:of|in)"
    r" (?:this|that|it|these|those|them|the above|the foregoing)|all (?:this|that|these|those)"
    r"|the (?:above|foregoing|preceding)|everything above|(?:nichts|alles|keine?s?) (?:davon"
    r"|hiervon"
    r"|von dem|daran)|davon (?:ist|stimmt|war|trifft) nichts|(?:das|dies) (?:alles"
    r"|ist alles(?! andere)"
    r"|war alles)"
    r"|all(?:es)? (?:das|dies\w*)|das (?:obige|vorstehende)"
    r"|(?:rien|aucune?) de (?:tout )?(?:cela|ceci|\u00e7a|ces|ce qui)|tout (?:cela|ceci|\u00e7a"
    r"|ce qui pr\u00e9c\u00e8de)"
    r"|ce qui pr\u00e9c\u00e8de|nada de (?:est[oa]|es[oa]|lo anterior)|ningun[oa] de est[oa]s"
    r"|tod[oa]s? (?:est[oa]s?|es[oa]s?|lo anterior)|lo anterior"
    r"|(?:niente|nulla) di (?:tutto )?(?:questo|ci\u00f2)|tutto (?:questo|ci\u00f2)|quanto sopra"
    r"|nada dis[ts]o|tudo is[ts]o|niets (?:hier|daar)van|(?:dit|dat) (?:is )?all(?:es|emaal)"
    r"|het bovenstaande|nic z tego|wszystko to|to wszystko|powy\u017csz\w*|ing(?:et"
    r"|enting) a[vf] det\w*"
    r"|allt? (?:det|dett[ae])|ov[ae]nst\u00e5ende"
    r"|\u043d\u0438\u0447\u0435\u0433\u043e \u0438\u0437 \u044d\u0442\u043e\u0433\u043e"
    r"|\u0432\u0441[\u0435\u0451] \u044d\u0442\u043e|\u0432\u044b\u0448\u0435\w*)\b"
    r"|\u4ee5\u4e0a|\u4e0a\u8ff0|\u8fd9\u4e9b|\u9019\u4e9b|\u3053\u308c\u3089|\uc774 \ubaa8\ub4e0"
    r"|\ubaa8\ub450",
    re.IGNORECASE,
)
_OF_THE_PREVIOUS = re.compile(
    r"\W*(?:(?:but|yet|however|in fact|in truth|actually|later|aber|doch|jedoch|tats\u00e4chlich"
    r"|mais|or"
    r"|pourtant|pero|sin embargo|ma|mas|maar|men|\u043d\u043e"
    r"|\u043e\u0434\u043d\u0430\u043a\u043e),? )*"
    r"(?:(?:this|that|it|these|those|they|the (?:claims?|statements?|reports?|allegations?"
    r"|rumou?rs?"
    r"|stor(?:y|ies))|das|dies\w*|es|sie|die (?:behauptung|aussage|meldung|angabe)\w*|c'est"
    r"|c\u2019est"
    r"|cela|ceci|\u00e7a|ce|ces|cette|esto|eso|est[ao]s|no es|es|quest[oaie]|ci\u00f2|non \u00e8"
    r"|\u00e8|iss?to|isso"
    r"|n\u00e3o \u00e9|dit|dat|deze|to (?:nie\w*|jest|by\u0142\w*)|det|detta|dette|dessa|disse"
    r"|\u044d\u0442\u043e"
    r"|\u044d\u0442\u0438|\u0647\u0630\u0627|\u0647\u0630\u0647|\u0632\u05d4)\b"
    r"|[\u8fd9\u9019\u6b64]|\u3053\u308c|\u305d\u308c|\uc774\uac83|\uadf8\uac83|\uc774\ub294"
    r"|\u092f\u0939|\u0e19\u0e35\u0e48)",
    re.IGNORECASE,
)
_OF_SOMETHING_ELSE = re.compile(
    r"\b(?:wrong|false|true|correct|right|incorrect) (?:to|of|for|about|in)\b", re.IGNORECASE
)


def denial(text: str, start: int, end: int) -> str:
    """Return the sentence that denies what stands at a place; nothing if none does.

    After it, that is one that speaks of all before it, or right after it one that speaks of what it
    follows. Before it, it is one that speaks of what follows, or that begins a section and so
    speaks of all of it. It stands in the same section.

    Args:
        text: what the place is in.
        start: where it begins.
        end: where it ends.
    """
    return " ".join((_denial_after(text, start, end) or _denial_before(text, start)).split())


def scope_of(sentence: str) -> DeniedPart | None:
    """Return what a sentence says to be untrue; None if it says that of nothing around it."""
    if len(sentence) > LONGEST or asks(sentence) or _INTRODUCES.search(sentence):
        return None
    sentence = " ".join(sentence.split())
    if _OF_THE_FOLLOWING.search(sentence):
        return DeniedPart.FOLLOWING if _denies(sentence, made_up=True) else None
    if _OF_ALL.search(sentence):
        return DeniedPart.ALL if _denies(sentence, made_up=True) else None
    short = len(sentence.split()) <= _MOST_WORDS and not _OF_SOMETHING_ELSE.search(sentence)
    of_previous = short and (_OF_THE_PREVIOUS.match(sentence) or _is_verdict(sentence))
    return DeniedPart.PREVIOUS if of_previous and _denies(sentence, made_up=False) else None


def _is_verdict(sentence: str) -> bool:
    """Return whether a sentence has no other words than one of: untrue, true, not true."""
    rest, untrue = _UNTRUE.subn(" ", sentence)
    rest, true = _TRUE.subn(" ", _FAR_FROM.sub(" ", rest))
    return bool(untrue) != bool(true) and all(map(_says_no_more, words(rest)))


def _says_no_more(word: str) -> bool:
    """Return whether a word of a verdict is a no, or adds nothing to it."""
    is_no = is_negative(word) and not is_unspaced(word[0])
    return is_no or bool(_ADDS_NOTHING.fullmatch(word))


def _denies(sentence: str, *, made_up: bool) -> bool:
    """Return whether a sentence calls something untrue, or not true."""
    rest, untrue = _UNTRUE.subn(" ", sentence)
    untrue += made_up and bool(_MADE_UP.search(sentence))
    negative = is_negative(rest) or bool(_FAR_FROM.search(rest))
    return not negative if untrue else negative and bool(_TRUE.search(rest))


def _denial_after(text: str, start: int, end: int) -> str:
    window, place = text[start : end + FARTHEST], end - start
    spans = [span for span in sentences(window) if span[0] >= place]
    for number, (first, last) in enumerate(spans):
        if _is_heading(window, first, last):
            return ""
        scope = scope_of(window[first:last])
        follows = number == 0 or _has_items_alone(window[place:first])
        if scope is DeniedPart.ALL or (scope is DeniedPart.PREVIOUS and follows):
            return window[first:last]
    return ""


def _denial_before(text: str, start: int) -> str:
    window = text[max(0, start - FARTHEST) : start]
    found, begins = "", start <= FARTHEST
    for first, last in sentences(window):
        if _is_heading(window, first, last):
            found, begins = "", True
            continue
        scope = scope_of(window[first:last])
        if scope is DeniedPart.FOLLOWING or (scope is DeniedPart.ALL and begins):
            found = window[first:last]
        begins = False
    return found


def _has_items_alone(between: str) -> bool:
    """Return whether a sentence begins a paragraph, after no other than that of the quote."""
    _, *others = _BLANK_LINE.split(between)
    return bool(others) and not others[-1] and all(map(_ITEM.match, others[:-1]))


def _is_heading(text: str, first: int, last: int) -> bool:
    """Return whether a sentence is one line by itself that doesn't end like a sentence."""
    line = text[first:last]
    if line.startswith("#"):
        return True
    alone = _ends_block(text[:first]) and bool(_BLANK_LINE.match(text[last:]))
    plain = "\n" not in line and not line.endswith(_STOPS) and not _ITEM.match(line)
    return alone and plain and len(line) <= _LONGEST_HEADING


def _ends_block(before: str) -> bool:
    return not before.strip() or bool(re.search(r"\n[ \t]*\n\s*\Z", before[-100:]))
