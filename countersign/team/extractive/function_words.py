"""Words of German and French that carry no meaning of their own, and whether a text has them.

Those of English are `sources.terms`' stop words. In the other languages' texts some of these words
mean something ("die", "plus"), so they count only in a text that is in the language.
"""

from __future__ import annotations

from countersign.sources.terms import stem, words

_GERMAN = """
    aber als am an auch auf aus bei beim das dass dem den der des die diese dieser dieses
    durch ein eine einem einen einer eines er es für gegen gibt hat hatte hatten haben ihr ihre im
    in ins ist kann kein keine können man mit nach nicht noch nur ob oder seit sich sie sind so über
    um und unter viel viele vom von vor wann war waren warum was wegen welche welchem welchen
    welcher welches wem wen wer werden wie wieder wird wo woher wohin wurde wurden zu zum zur
    zwischen
"""
_FRENCH = """
    a à ai au aux avec ce ces cet cette chaque combien comment d dans de des donc du elle elles en
    encore est et été être eu fait font il ils j je l la le les leur leurs mais n ne nous on ont ou
    où par pas plus pour pourquoi qu quand que quel quelle quelles quels qui s sa sans se ses si son
    sont sous sur t très un une vers vous y
"""
_LANGUAGES = tuple(frozenset(each.split()) for each in (_GERMAN, _FRENCH))
_FEWEST = 2


def function_terms(text: str) -> frozenset[str]:
    """Return the stems of the function words of a text's language; none if it is in another."""
    spoken = set(words(text))
    most = max(_LANGUAGES, key=lambda language: len(language & spoken))
    return frozenset(map(stem, most)) if len(most & spoken) >= _FEWEST else frozenset()
