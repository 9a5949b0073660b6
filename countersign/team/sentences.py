"""Cut prose into sentences, around abbreviations, dates and the numbers of citations."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

_CLOSING = "\"')\\]\u2019\u201d\u201c\u00bb\u203a\u300d\u300f\uff09*_"
_OPENING = "\"'(\\[\u2018\u201c\u201e\u00ab\u00bb\u2039\u300c\u300e*_\u00bf\u00a1"
_CITATIONS = r"(?:[ \t]*\[\^?\d[\d\s,;]*\])*"
_STOPS = ".!?\u2026\u061f\u06d4\u0964"
_UNSPACED_STOPS = "\u3002\uff01\uff1f\uff61"

# Where blanks part words, a sentence ends only where what follows can begin another one.
_END: Final = re.compile(
    rf"(?:[{_UNSPACED_STOPS}]+[{_CLOSING}]*{_CITATIONS}\s*"
    rf"|(?P<stop>[{_STOPS}]+)[{_CLOSING}]*(?:\s\u00bb(?=\s|\Z))?{_CITATIONS}(?:\s+(?![a-z\u00e0-\u00f6\u00f8-\u00ff])|\Z)"
    rf"|\n[ \t]*\n\s*)"
)
_LAST_WORD = re.compile(rf"[^\s{_OPENING}]+\Z")
_ABBREVIATIONS = frozenset(
    """
    al approx art bd bzw ca capt cf co col corp dept dr ed eds eg eq est evtl ex fig figs gen gov
    ggf hon hr ie inc inkl jan feb mar apr jun jul aug sep sept oct nov dec jr lt ltd m max min mio
    mme mlle mr mrd mrs ms nr op p pag pg pp prof rev resp rep s sec sen sgt sog sr sra st str tab
    tsd ud usf v var vgl viz vol vols vs abs abschn kap ziff zit
    """.split()  # noqa: SIM905
)
_INITIALS = re.compile(r"(?:[^\W\d_]\.)+[^\W\d_]|[^\W\d_]")
_NUMBERED = re.compile(r"(?:no|nos|nr|art|sec|fig|vol|ch|pt|p|pp|abs|bd)", re.IGNORECASE)

# "am 3. Mai", "im 19. Jahrhundert", "Friedrich II. von": an ordinal ends no sentence.
_ORDINAL = re.compile(r"\d{1,3}|[IVXL]{1,6}")
_MONTHS_AND_THE_LIKE = re.compile(
    r"(?:jan|feb|m\u00e4r|apr|mai|jun|jul|aug|sep|okt|nov|dez|jahr|jh\b|auflage|kapitel|mal\b|platz"
    r"|rang|klasse|stock|tag|woche|monat|quartal|etage|bezirk|armee|division|weltkrieg)",
    re.IGNORECASE,
)
_BEFORE_ORDINALS = re.compile(
    r"\b(?:am|im|vom|zum|zur|beim|bis|der|die|das|dem|den|des|ab|seit|und|jeder|jedes|jeden)\s+\S+\Z",
    re.IGNORECASE,
)


def sentences(text: str) -> list[tuple[int, int]]:
    """Return start and end of each sentence, without the blanks around it.

    The numbers of citations that follow a full stop belong to the sentence before them.
    """
    return [span for span in _trimmed(text, _cuts(text)) if span[0] < span[1]]


def begins_sentence(before: str) -> bool:
    """Say whether a sentence can begin after a text: after another one, or at a line of its own."""
    text = before.rstrip(f" \t{_OPENING}".replace("\\", ""))
    if not text or re.search(r"\n\s*\Z|\n[ \t]*(?:[-*+\u2022#>]+|\d{1,3}[.)])[ \t]*\Z", text):
        return True
    return ends_sentence(text)


def ends_sentence(text: str) -> bool:
    """Say whether a text ends where a sentence does."""
    spans = sentences(f"{text} X")
    return bool(spans) and spans[-1][0] >= len(text)


def _cuts(text: str) -> Iterator[int]:
    start = 0
    for end in _END.finditer(text):
        if end["stop"] != "." or not _goes_on(text, start, end):
            yield end.end()
            start = end.end()


def _goes_on(text: str, start: int, end: re.Match[str]) -> bool:
    """Return whether a full stop ends an abbreviation or ordinal inside a sentence."""
    stop = end.start("stop")
    word = _LAST_WORD.search(text, max(start, stop - 40), stop)
    if word is None or not text[end.end() :].strip():
        return False
    last, after = word.group(), text[end.end() : end.end() + 20]
    if last.casefold() in _ABBREVIATIONS or _INITIALS.fullmatch(last):
        return True
    if _ORDINAL.fullmatch(last):
        before = text[max(start, stop - 60) : stop]
        return bool(_MONTHS_AND_THE_LIKE.match(after) or _BEFORE_ORDINALS.search(before))
    return bool(_NUMBERED.fullmatch(last)) and after[:1].isdigit()


def _trimmed(text: str, cuts: Iterator[int]) -> Iterator[tuple[int, int]]:
    start = 0
    for end in [*cuts, len(text)]:
        part = text[start:end]
        yield start + len(part) - len(part.lstrip()), start + len(part.rstrip())
        start = end
