"""A sentence of its own that denies a quote is found, in many languages, and no other is."""

from __future__ import annotations

import time

import pytest

from bench.evidence.corpus import text_of
from bench.evidence.labels import questions
from countersign.team.context import passage_of
from countersign.team.denials import DeniedPart, scope_of
from countersign.team.doubts import DENIED, doubts_about, is_grave, marks_of_passage
from countersign.team.folded import FoldedText
from countersign.team.models import CheckedFinding, QuotedPassage

QUOTE = "The bridge is unsafe."
OTHER = "It was built in 1990 by two brothers."


def passage(text: str) -> QuotedPassage:
    return passage_in(QUOTE, text)


def passage_in(quote: str, text: str) -> QuotedPassage:
    found = passage_of(quote, FoldedText(text))
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("sentence", "scope"),
    [
        ("All of this was refuted.", DeniedPart.ALL),
        ("None of this is true.", DeniedPart.ALL),
        ("None of it is true.", DeniedPart.ALL),
        ("All this is made up.", DeniedPart.ALL),
        ("Nichts davon ist wahr.", DeniedPart.ALL),
        ("Davon stimmt nichts.", DeniedPart.ALL),
        ("Das alles wurde widerlegt.", DeniedPart.ALL),
        ("Rien de tout cela n'est vrai.", DeniedPart.ALL),
        ("Tout cela a \u00e9t\u00e9 d\u00e9menti.", DeniedPart.ALL),
        ("Nada de esto es cierto.", DeniedPart.ALL),
        ("Niente di tutto questo \u00e8 vero.", DeniedPart.ALL),
        ("Nada disso \u00e9 verdade.", DeniedPart.ALL),
        ("Niets hiervan is waar.", DeniedPart.ALL),
        ("Nic z tego nie jest prawd\u0105.", DeniedPart.ALL),
        ("Inget av detta \u00e4r sant.", DeniedPart.ALL),
        (
            "\u0412\u0441\u0451 \u044d\u0442\u043e"
            " \u043d\u0435\u043f\u0440\u0430\u0432\u0434\u0430.",
            DeniedPart.ALL,
        ),
        ("\u4ee5\u4e0a\u90fd\u4e0d\u5c5e\u5b9e\u3002", DeniedPart.ALL),
        ("\u8fd9\u4e9b\u8bf4\u6cd5\u90fd\u662f\u8c23\u8a00\u3002", DeniedPart.ALL),
        (
            "\u3053\u308c\u3089\u306f\u4e8b\u5b9f\u3067\u306f\u3042\u308a\u307e\u305b\u3093\u3002",
            DeniedPart.ALL,
        ),
        (
            "\uc774 \ubaa8\ub4e0 \uac83\uc740 \uc0ac\uc2e4\uc774 \uc544\ub2d9\ub2c8\ub2e4.",
            DeniedPart.ALL,
        ),
        ("The following is false.", DeniedPart.FOLLOWING),
        ("Do not believe the following.", DeniedPart.FOLLOWING),
        ("What follows is invented.", DeniedPart.FOLLOWING),
        ("Das Folgende ist falsch.", DeniedPart.FOLLOWING),
        ("Ce qui suit est faux.", DeniedPart.FOLLOWING),
        ("Lo que sigue es falso.", DeniedPart.FOLLOWING),
        ("\u4ee5\u4e0b\u5185\u5bb9\u4e0d\u662f\u771f\u7684\u3002", DeniedPart.FOLLOWING),
        ("This is false.", DeniedPart.PREVIOUS),
        ("But that turned out to be wrong.", DeniedPart.PREVIOUS),
        ("These claims were later refuted by the authorities.", DeniedPart.PREVIOUS),
        ("Das ist nicht wahr.", DeniedPart.PREVIOUS),
        ("C'est faux.", DeniedPart.PREVIOUS),
        ("Eso es mentira.", DeniedPart.PREVIOUS),
        (
            "\u042d\u0442\u043e \u043d\u0435\u043f\u0440\u0430\u0432\u0434\u0430.",
            DeniedPart.PREVIOUS,
        ),
        ("All of this is true.", None),
        ("None of this was refuted.", None),  # a double no
        ("Nichts davon ist falsch.", None),
        ("The following is true.", None),
        ("Is all of this false?", None),  # it asks
        ("It was invented in 1790.", None),  # a thing, not a story
        ("They were withdrawn in 1995.", None),
        ("It lies north of the town.", None),
        ("It is wrong to drink sea water.", None),
        ("It is not so old.", None),
        ("This is not true of the older mills.", None),  # of others
        ("In the following year the theory was refuted.", None),  # a time
        ("All mills are not alike.", None),
        ("Nothing is wrong with it.", None),
        ("No bridge is false.", None),
        ("To leave it out, pass strict=False.", None),  # a name
        ("When the value became 'false', all of them broke.", None),
        ("To nieprawda.", DeniedPart.PREVIOUS),
        ("False.", DeniedPart.PREVIOUS),
        ("Wrong!", DeniedPart.PREVIOUS),
        ("Not true.", DeniedPart.PREVIOUS),
        ("Not so.", DeniedPart.PREVIOUS),
        ("Simply not true at all.", DeniedPart.PREVIOUS),
        ("Isn't true.", DeniedPart.PREVIOUS),
        ("Far from true.", DeniedPart.PREVIOUS),
        ("This is far from true.", DeniedPart.PREVIOUS),
        ("Falsch!", DeniedPart.PREVIOUS),
        ("Nicht wahr.", DeniedPart.PREVIOUS),
        ("Stimmt nicht.", DeniedPart.PREVIOUS),
        ("Trifft nicht zu.", DeniedPart.PREVIOUS),
        ("Das ist alles andere als wahr.", DeniedPart.PREVIOUS),
        ("Faux.", DeniedPart.PREVIOUS),
        ("Pas vrai.", DeniedPart.PREVIOUS),
        ("C'est loin d'\xeatre vrai.", DeniedPart.PREVIOUS),
        ("Falso.", DeniedPart.PREVIOUS),
        ("No es cierto.", DeniedPart.PREVIOUS),
        ("Non vero.", DeniedPart.PREVIOUS),
        ("N\xe3o \xe9 verdade.", DeniedPart.PREVIOUS),
        ("Klopt niet.", DeniedPart.PREVIOUS),
        ("Nieprawda.", DeniedPart.PREVIOUS),
        ("St\xe4mmer inte.", DeniedPart.PREVIOUS),
        ("Ikke sandt.", DeniedPart.PREVIOUS),
        ("\u041d\u0435\u043f\u0440\u0430\u0432\u0434\u0430.", DeniedPart.PREVIOUS),
        ("\u4e0d\u662f\u771f\u7684\u3002", DeniedPart.PREVIOUS),
        ("\u5047\u7684\u3002", DeniedPart.PREVIOUS),
        ("\u4e8b\u5b9f\u3067\u306f\u306a\u3044\u3002", DeniedPart.PREVIOUS),
        ("\uc0ac\uc2e4\uc774 \uc544\ub2d9\ub2c8\ub2e4.", DeniedPart.PREVIOUS),
        ("\u063a\u064a\u0631 \u0635\u062d\u064a\u062d.", DeniedPart.PREVIOUS),
        ("\u05dc\u05d0 \u05e0\u05db\u05d5\u05df.", DeniedPart.PREVIOUS),
        ("\u0938\u091a \u0928\u0939\u0940\u0902 \u0939\u0948\u0964", DeniedPart.PREVIOUS),
        ("\u0e44\u0e21\u0e48\u0e08\u0e23\u0e34\u0e07", DeniedPart.PREVIOUS),
        ("True.", None),
        ("True or false.", None),
        ("True/False.", None),
        ("False alarm.", None),
        ("Right or wrong.", None),
        ("Not false.", None),
        ("This is far from false.", None),
        ("It is far from the town.", None),
        ("Not bad.", None),
        ("Not always true.", None),
        ("No.", None),
        ("\u672c\u5f53\u306b\u7121\u6599\u3067\u3059\u3002", None),
    ],
)
def test_a_sentence_denies_what_is_around_it_or_does_not(
    sentence: str, scope: DeniedPart | None
) -> None:
    assert scope_of(sentence) is scope


@pytest.mark.parametrize(
    ("text", "denied"),
    [
        (f"{QUOTE} All of this was refuted.", "All of this was refuted."),
        (f"{QUOTE} {OTHER} None of this is true.", "None of this is true."),
        (f"{QUOTE}\n\n{OTHER}\n\n{OTHER * 20}\n\nNone of\nthis is true.", "None of this is true."),
        (f"{QUOTE} That is false. {OTHER}", "That is false."),
        (f"{QUOTE} Wrong! {OTHER}", "Wrong!"),
        (f"{QUOTE}\n\nFalse.\n\n{OTHER}", "False."),
        (f"{QUOTE} {OTHER}\n\nThis is not true.", "This is not true."),
        (f"- {QUOTE}\n- {OTHER}\n\nThese claims are false.", "These claims are false."),
        (f"- {QUOTE}\n\n- {OTHER}\n\nThese claims are false.", "These claims are false."),
        (f"The following is false. {QUOTE}", "The following is false."),
        (f"The following is false.\n\n{OTHER}\n\n{QUOTE}", "The following is false."),
        (f"# Rumours of 2020\n\nAll of this was refuted. {QUOTE}", "All of this was refuted."),
        (f"All of this was refuted.\n\n{QUOTE}", "All of this was refuted."),
    ],
)
def test_a_quote_knows_the_sentence_that_denies_it(text: str, denied: str) -> None:
    found = passage(text)
    assert found.denied == denied
    assert DENIED.format(denied) in marks_of_passage(found)
    assert denied in " ".join(f"{found.before_it} {found.after_it}".split())  # for the checker
    finding = CheckedFinding(
        claim=QUOTE, quote=QUOTE, source="s", subtopic="x", found=True, passage=found
    )
    assert is_grave(doubts_about(QUOTE, [finding]))


@pytest.mark.parametrize(
    "text",
    [
        f"{QUOTE} {OTHER} That is false.",  # of the sentence before it
        f"{QUOTE} {OTHER} False.",
        f"Was it built in 1990? Wrong. {QUOTE}",
        f"{QUOTE}\n\n{OTHER}\n\nThis is false.",  # of the paragraph before it
        f"{OTHER} That is false. {QUOTE}",
        f"Some say it is old. None of this is true. {QUOTE}",  # of what is before it
        f"{QUOTE}\n\n# Rumours\n\n{OTHER} None of this is true.",  # of another section
        f"{QUOTE}\n\nRumours\n\n{OTHER} None of this is true.",  # whose heading has no mark
        f"# Rumours\n\nThe following is false. {OTHER}\n\n# Facts\n\n{QUOTE}",
        f"Rumours\n\nThe following is false. {OTHER}\n\nFacts\n\n{QUOTE}",
        f"{QUOTE} All of this was confirmed.",
        f"{QUOTE} {OTHER * 300} None of this is true.",  # too far
    ],
)
def test_a_denial_of_something_else_says_nothing_of_a_quote(text: str) -> None:
    assert passage(text).denied == ""


def test_no_true_statement_of_the_benchmark_is_denied() -> None:
    denied = [
        (question.id, found)
        for question in questions()
        for place in question.sources
        if (found := passage_in(place.sentence, text_of(place.document)).denied)
    ]
    assert denied == []


def test_a_quote_that_has_the_denial_itself_is_not_denied() -> None:
    said = f"{QUOTE} All of this was refuted."
    found = passage_of(said, FoldedText(f"{said} {OTHER}"))
    assert found
    assert found.denied == ""


@pytest.mark.parametrize("piece", ["\n\n", "It is. ", "this that ", "- a\n", "# a\n\n"])
def test_what_is_looked_at_around_a_quote_is_bounded(piece: str) -> None:
    def seconds(times: int) -> float:
        text = FoldedText(f"{piece * times}{QUOTE}{piece * times}")
        begun = time.process_time()
        passage_of(QUOTE, text)
        return time.process_time() - begun

    assert seconds(50_000) < 100 * (seconds(5_000) + 0.05)
