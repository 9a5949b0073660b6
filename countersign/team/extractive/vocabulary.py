"""How much a word of a request tells about its topic, by what its language uses it for."""

from __future__ import annotations

from collections.abc import Iterable

from countersign.sources.terms import stem, terms, words

# Words that say how to report, not what on.
_OF_THE_REQUEST = """
aspect basic beginner benefit best better case challenge choose common compare comparison concept
cons consider current decide detail develop difference different discuss drawback effect example
explain explanation explore find give good guide help idea impact important information introduce
introduction issue key know knowledge learn like list look main make matter mean method modern need
new offs overview please point practical practice principle problem pros question reason recent
recommend report research review role should simple summarise summarize summary tell thing topic
trade tradeoff understand understanding use used useful user using various versus want way work
write
"""

# Words so common that texts on anything share them by chance.
_COMMON = """
able accept access account act action add age air allow amount answer appear apply area arm art ask
back bad bank base become begin believe big board body book break bring build business buy call car
care carry cause center centre certain chance change charge child children choice city claim class
clear close cold collect come community company complete condition contain continue control copy
cost count country course cover create cut data date day deal death decision deep degree deliver
demand design die difficult direct door draw drive drop early easy effort element end energy engine
enter equal error event exist expect experience eye face fact fail fall family far fast father feel
field figure file fill final find fire first fish flat follow food foot force form free friend full
function future game general girl go great green ground group grow growth half hand happen happy
hard head health hear heart heat heavy high history hold home hour house human image increase
industry inside interest internal join keep kind land language large last late law lead learn leave
left length less letter level life light limit line little live local long lose loss love low
machine man manage map mark market material measure meet member memory message mind minute miss
model money month morning mother move name nation natural nature news night note number object
offer office old open operate operation order own page paper parent part party pass past patient
pattern pay peace people period person pick picture piece place plan plant play policy position
possible power prepare present president pressure price private process produce product program
project property protect prove provide public pull push put quality quick raise range rate reach
read real receive record red relate remain remove repeat require rest result return rise river road
room rule run sale save say school science sea second section see sell send sense serious serve
service set shape share ship shop show side sign single sit size sleep small social sort sound
source space speak special specific spend stage stand standard start state station stay step stop
store story street strong structure student subject success summer support sure surface survive
system table take talk task teach team technology term test think time today tool total town train
travel tree try turn type unit value view visit voice wait walk wall war watch water weather week
weight white whole wide win wind winter woman wonder wood word world worry wrong year young
"""

# Words of German and French that carry no meaning of their own. In other languages' texts some of
# them mean something ("die", "plus"), so they count only in a text that is in the language.
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

REQUEST_TERMS = frozenset(map(stem, _OF_THE_REQUEST.split()))
COMMON_TERMS = frozenset(map(stem, _COMMON.split()))
COMMON_WEIGHT = 0.4
_LANGUAGES = tuple(frozenset(each.split()) for each in (_GERMAN, _FRENCH))
_FEWEST = 2


def topic_terms(topic: str) -> frozenset[str]:
    """Return what a topic is about: its terms without the words of the request itself."""
    all_terms = frozenset(terms(topic))
    return all_terms - REQUEST_TERMS - _function_terms(topic) or all_terms


def specificity(some_terms: Iterable[str]) -> float:
    """Return how much terms tell together: 1 for each, and COMMON_WEIGHT for a common one."""
    return sum(COMMON_WEIGHT if term in COMMON_TERMS else 1 for term in some_terms)


def _function_terms(text: str) -> frozenset[str]:
    """Return the stems of the function words of a text's language; none if it is in another."""
    spoken = set(words(text))
    most = max(_LANGUAGES, key=lambda language: len(language & spoken))
    return frozenset(map(stem, most)) if len(most & spoken) >= _FEWEST else frozenset()
