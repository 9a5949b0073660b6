"""Which quotes stand in which sources: a changed meaning never does, a harmless difference does."""

from __future__ import annotations

import pytest

from countersign.team.quotes import stands_in

# A quote, and a source in which it stands.
STANDS = [
    # Quotation marks of all kinds.
    ('the server\'s "memory" is full', "the server\u2019s \u201cmemory\u201d is full"),
    ("the server\u2019s \u201cmemory\u201d is full", 'the server\'s "memory" is full'),
    ('the so-called "Wende" of 1989', "the so-called \u201eWende\u201c of 1989"),
    ("Er sagte \u201eNein\u201c und ging.", 'Er sagte "Nein" und ging.'),
    ("Er sagte \u00bbNein\u00ab und ging.", "Er sagte \u201eNein\u201c und ging."),
    ('Il a dit "non" hier soir', "Il a dit \u00ab\u00a0non\u00a0\u00bb hier soir"),
    ("Il a dit \u00abnon\u00bb hier soir", "Il a dit \u00ab non \u00bb hier soir"),
    ("the \u2018key\u2019 is long", 'the "key" is long'),
    ("the `key` is long", "the \u2018key\u2019 is long"),
    ("the users\u2032 keys are long", "the users' keys are long"),
    ("it doesn`t run twice", "it doesn't run twice"),
    ("it doesn\u00b4t run twice", "it doesn\u2019t run twice"),
    ("她说\u201c不行\u201d就走了", "她说\u300c不行\u300d就走了"),
    # Marks at the ends.
    ("The temperature fell overnight.", "The temperature fell overnight, and it froze."),
    ("The temperature fell overnight", "The temperature fell overnight."),
    ("The temperature fell overnight...", "The temperature fell overnight, and it froze."),
    ("The temperature fell overnight\u2026", "The temperature fell overnight."),
    ("... the temperature fell overnight", "At last the temperature fell overnight."),
    ("\u2026the temperature fell [\u2026]", "At last the temperature fell overnight."),
    ("[...] the temperature fell [...]", "At last the temperature fell overnight."),
    ("\u201cThe temperature fell overnight.\u201d", "The temperature fell overnight."),
    ("\u201eDie Brücke ist gesperrt.\u201c", "Die Brücke ist gesperrt."),
    ("\u00ab Le pont est fermé. \u00bb", "Le pont est fermé."),
    ("'The temperature fell overnight'", "The temperature fell overnight."),
    ("橋は閉鎖中です\u3002", "橋は閉鎖中です"),
    # Case of the first letter.
    ("The bridge was closed", "On Monday the bridge was closed."),
    ("the bridge was closed", "The bridge was closed."),
    ("Über die Brücke fuhr niemand", "Denn über die Brücke fuhr niemand."),
    ("\u201cThe bridge was closed\u201d", "On Monday the bridge was closed."),
    # Blanks and the ends of lines.
    ("An activity may run twice", "An  activity\n\nmay   run\ttwice."),
    ("An activity may run twice", "An\u00a0activity may\u2009run\u202ftwice."),
    ("12% of all users left", "12 % of all users left"),
    ("12 % of all users left", "12% of all users left"),
    ("12 % aller Nutzer gingen", "12\u00a0% aller Nutzer gingen"),
    ("3\u2030 of all users left", "3 \u2030 of all users left"),
    ("Attention! Ce pont est fermé", "Attention\u202f! Ce pont est fermé"),
    ("Il y a deux cas: le premier", "Il y a deux cas : le premier"),
    ("\u20ac4.2 million were spent", "\u20ac 4.2 million were spent"),
    ("使用Python语言", "我们使用 Python 语言\u3002"),
    ("这座桥在星期一关闭", "这座桥在\n星期一关闭\u3002"),
    # Hyphens at the ends of lines.
    ("it must be idempotent", "so it must be idem-\n   potent."),
    ("it must be idem- potent", "so it must be idem-\npotent."),
    ("the well-known remedy", "The well-\nknown remedy"),
    ("the well-known idempotent key", "The well-\nknown idem-\npotent key"),
    ("Haupt- und Nebensache sind gleich", "Haupt-\nund Nebensache sind gleich"),
    ("since COVID-19 began", "since COVID-\n19 began"),
    ("between 10-20 percent", "between 10-\n20 percent"),
    # Soft hyphens, joiners and other characters that nobody sees.
    ("it must be idempotent", "it must be idem\u00adpotent"),
    ("it must be idempotent", "it must be idem\u200bpotent"),
    ("it must be idempotent", "\ufeffit must\u2060 be idempotent"),
    ("it must be idem\u00adpotent", "it must be idempotent"),
    # The look of letters and dashes.
    ("the efficient office", "the e\ufb03cient o\ufb03ce"),
    ("Die Brücke ist gesperrt", "Die Bru\u0308cke ist gesperrt"),
    ("in 2020 with 1,700 users", "in \uff12\uff10\uff12\uff10 with 1,700 users"),
    ("the well-known remedy", "the well\u2011known remedy"),
    ("a remedy - the key - helps", "a remedy \u2013 the key \u2013 helps"),
    ("a remedy\u2014the key\u2014helps", "a remedy \u2013 the key \u2013 helps"),
    ("a remedy -- the key -- helps", "a remedy\u2014the key\u2014helps"),
    ("May-June was dry", "May\u2013June was dry"),
    ("from May \u2013 June on", "from May\u2013June on"),
    # Ranges with every dash.
    ("10-20 percent of all cases", "10\u201320 percent of all cases"),
    ("10\u201320 percent of all cases", "10-20 percent of all cases"),
    ("10 - 20 percent of all cases", "10\u201320 percent of all cases"),
    ("10\u201420 percent of all cases", "10\u201320 percent of all cases"),
    ("10\u201020 percent of all cases", "10\u201220 percent of all cases"),
    ("10\u201120 percent of all cases", "10\u201520 percent of all cases"),
    ("10%-20% of all cases", "10 % \u2013 20 % of all cases"),
    ("\u20ac10\u2013\u20ac20 for each", "\u20ac10 - \u20ac20 for each"),
    # Signs, decimals and separators as they are.
    ("fell to -5 degrees", "fell to \u22125 degrees"),
    ("fell to \u22125 degrees", "fell to \u20135 degrees"),
    ("-5 degrees were measured", "At night \u22125 degrees were measured"),
    ("(\u22125 degrees) at night", "it was cold (-5 degrees) at night"),
    ("rose to 3.5 percent", "rose to 3.5 percent."),
    ("stieg auf 3,5 Prozent", "stieg auf 3,5 Prozent."),
    ("1,700 beekeepers", "There are 1,700 beekeepers."),
    ("1\u00a0700 apiculteurs", "On compte 1\u202f700 apiculteurs."),
    ("1\u2019700 Imker", "Es gibt 1'700 Imker."),
    ("10\u2076 cells were counted", "10\u2076 cells were counted"),
    ("CO\u2082 fell by half", "CO\u2082 fell by half"),
    ("5 m\u00b2 of glass", "5 \u33a1 of glass"),
    ("rose to 3", "The share rose to 3."),
    ("It rose to 3", "It rose to 3, then fell."),
    ("5 people died in the fire", "The report:\n- 5 people died in the fire\n- 3 were hurt"),
    ("5 people died in the fire", "\u2022 5 people died in the fire"),
    ("the key is 5' long", "the key is 5\u2032 long"),
    # Short, and exact.
    ("\u20ac 4.2 million", "It cost \u20ac 4.2 million in all."),
    ("这座桥已经关闭了\u3002", "这座桥已经关闭了\u3002"),
    ("橋は月曜日に閉鎖された", "旧橋である橋は月曜日に閉鎖された\u3002"),
    ("기온이 영하로 내려갔다", "밤에 기온이 영하로 내려갔다."),
    ("สะพานถูกปิด", "วันนี้สะพานถูกปิดแล้ว"),
    ("run twice", "An activity may run twice."),
    # From right to left.
    ("الجسر مغلق", "\u200f\u0627لجسر مغلق."),
    (
        "الجسر مغلق",
        "\u0627لج\u0640\u0640سر مغلق",
    ),
    ("הגשר נסגר אתמול", "\u202bהגשר נסגר אתמול\u202c"),
    # Marks of Markdown.
    ("Goods return within 30 days.", "Goods return within **30 days**."),
    ("Goods return within **30 days**.", "Goods return within 30 days."),
    ("Goods return within **30 days**.", "Goods return within **30 days**."),
    ("it may never run twice", "it may *never* run __twice__"),
    ("set the max_size to 10", "set the `max_size` to 10"),
    ("read the manual first", "read [the manual](https://example.com/a_b_c) first"),
    ("read the *manual* first", 'read [the **manual**](https://example.com "Title") first'),
    ("The fee is 10 euros", "## The fee is 10 euros"),
    ("The fee is 10 euros", "> The fee\n> is 10 euros"),
    ("Goods return within 30 days of sale", "Goods return within 30 days[1] of sale [^2]"),
    ("Goods return within 30 days [1] of sale", "Goods return within **30 days** [1] of sale"),
    ("the fee (10 euros) is due", "the fee \\(10 euros\\) is due"),
    ("it fell to -5 degrees", "it fell to **-5** degrees"),
    ("Standard | 30 days", "| Standard | 30 days |"),
    ('say \\"yes\\" to this', 'say "yes" to this'),
    ("2024 | 20.900 | 1.402", "2023 | 19.100 | 1.350\n2024 | 20.900 | 1.402\n2025 | 1 | 2"),
    ("2024 | 12 | 26300 | 4.4", "2023 | 12 | 900\n2024 | 12 | 26300 | 4.4\n2025 | 12"),
    # Entities.
    ('the "memory" is full', "the &quot;memory&quot; is full"),
    ("Smith & Sons paid", "Smith &amp; Sons paid"),
    ("Smith &amp; Sons paid", "Smith & Sons paid"),
    ("12 % of all users", "12&nbsp;% of all users"),
    ("fell to -5 degrees", "fell to &minus;5 degrees"),
    ("10-20 percent of all", "10&#8211;20 percent of all"),
    # A part of a sentence, at the words' ends.
    ("the vaccine causes the illness", "It is false that the vaccine causes the illness."),
    ("operations fail at once", "(unsafe operations fail at once)"),
    ("the key helps here", "a remedy\u2014the key helps here\u2014is known"),
    ("Python was used then", "我们Python was used then"),
]

# A quote, and a source in which it doesn't stand.
FALLS = [
    # Signs.
    ("The temperature fell to 5 degrees", "The temperature fell to -5 degrees"),
    ("The temperature fell to -5 degrees", "The temperature fell to 5 degrees"),
    ("5 degrees were measured", "At night -5 degrees were measured"),
    ("5 degrees were measured", "At night \u22125 degrees were measured"),
    ("-5 degrees were measured", "At night 5 degrees were measured"),
    ("- 5 degrees were measured", "At night 5 degrees were measured"),
    ("5 degrees were measured", "T = - 5 degrees were measured"),
    ("500 euros are missing", "the balance (\u2212500 euros are missing)"),
    ("+5 degrees were measured", "At night 5 degrees were measured"),
    ("5 degrees were measured", "At night \u00b15 degrees were measured"),
    ("0.05 was seen in all", "p < 0.05 was seen in all"),
    ("p > 0.05 was seen in all", "p < 0.05 was seen in all"),
    ("\u20ac5 are owed to her", "a balance of -\u20ac5 are owed to her"),
    ("a change of 10 -20 percent", "a change of 10-20 percent"),
    # Dashes between digits.
    ("Between 1020 percent of all cases", "Between 10-20 percent of all cases"),
    ("Between 1020 percent of all cases", "Between 10\u201320 percent of all cases"),
    ("Between 10 20 percent of all cases", "Between 10\u201320 percent of all cases"),
    ("Between 10-20 percent of all cases", "Between 1020 percent of all cases"),
    ("20 percent of all cases", "Between 10-20 percent of all cases"),
    ("20 percent of all cases", "Between 10 \u2013 20 percent of all cases"),
    ("The share was 10", "The share was 10\u201320 percent."),
    ("since COVID 19 began", "since COVID-19 began"),
    ("10-20 percent of all cases", "10--20 percent of all cases"),
    # Decimals and separators.
    ("The share of users rose to 3", "The share of users rose to 3.5 percent"),
    ("Der Anteil stieg auf 3", "Der Anteil stieg auf 3,5 Prozent"),
    ("The share of users rose to 3.", "The share of users rose to 3.5 percent"),
    ("5 percent of users left", "12.5 percent of users left"),
    ("700 beekeepers", "There are 1,700 beekeepers."),
    ("700 apiculteurs", "On compte 1 700 apiculteurs."),
    ("700 beekeepers live here", "There are 1\n700 beekeepers live here."),
    ("700 Imker gibt es", "1.700 Imker gibt es"),
    ("700 Imker gibt es", "1\u2019700 Imker gibt es"),
    ("1700 beekeepers", "There are 1,700 beekeepers."),
    ("1.700 beekeepers", "There are 1,700 beekeepers."),
    ("1 700 beekeepers", "There are 1,700 beekeepers."),
    ("1,700 beekeepers", "There are 1,7000 beekeepers."),
    ("35 percent of users", "3.5 percent of users"),
    ("3,5 percent of users", "3.5 percent of users"),
    ("at 10 they closed", "at 10:30 they closed"),
    ("They closed at 10", "They closed at 10:30."),
    ("30 they closed", "at 10:30 they closed"),
    ("a share of 1", "a share of 1/2"),
    ("5 percent of all", ".5 percent of all"),
    ("see version 1.2 first", "see version 1.2.3 first"),
    # Super- and subscripts, fractions, units.
    ("106 cells were counted", "10\u2076 cells were counted"),
    ("There were 10", "There were 10\u2076 cells."),
    ("102 cells were counted", "10\u00b2 cells were counted"),
    ("10-6 of the volume", "10\u207b\u2076 of the volume"),
    ("CO2 fell by half", "CO\u2082 fell by half"),
    ("31/2 hours of work", "3\u00bd hours of work"),
    ("It took 3", "It took 3\u00bd hours."),
    ("It took 3", "It took 3 \u00bd hours."),
    ("a pane of 5 m", "a pane of 5 m\u00b2"),
    ("71 item in all", "7\u2460 item in all"),
    ("It rose by 5", "It rose by 5% in May."),
    ("It rose by 5", "It rose by 5 % in May."),
    ("It cost only 4", "It cost only 4 \u20ac."),
    ("It rose to 5", "It rose to 5 million in May."),
    ("It rose to 5", "It rose to 5 percent in May."),
    ("Es kostete 5", "Es kostete 5 Mio. Euro."),
    ("There were 5", "There were 5 \u00d7 10\u2076 cells."),
    ("a key 5' long", 'a key 5" long'),
    ("The key measures 5", "The key measures 5\u2032."),
    ("5 MW were produced", "5 mW were produced"),
    ("MW were produced here", "5 mW were produced here"),
    ("4.2 million were spent", "\u20ac4.2 million were spent"),
    # Cuts inside words.
    ("safe operations fail", "unsafe operations fail"),
    ("the operations are safe", "the operations are safest"),
    ("violent protest was seen", "a non-violent protest was seen"),
    ("violent protest was seen", "a non\u2013violent protest was seen"),
    ("violent protest was seen", "a non-\nviolent protest was seen"),
    ("all tea is sugar", "all tea is sugar-free"),
    ("You can", "You can't run it twice"),
    ("the bridge of John", "the bridge of John's brother"),
    ("recreation of the key", "re-creation of the key"),
    ("re-creation of the key", "recreation of the key"),
    ("com is the address", "example.com is the address"),
    ("know the remedy", "I now know_the remedy"),
    ("是真的消息", "这不是真的消息"),
    ("増加了5", "人口増加了5万人"),
    ("기온이 영하", "밤에 기온이 영하로 내려갔다."),
    ("Die Bru", "Die Bru\u0308cke ist gesperrt"),
    # Words.
    ("An activity may run once", "An activity may run twice"),
    ("It can be left out", "It cannot be left out"),
    ("it must run twice", "it must not run twice"),
    ("it must ... run twice", "it must not run twice"),
    ("it must be sent ... be read", "it must be sent and be read"),
    ("run twice it may", "it may run twice"),
    ("the US Bank paid", "the us bank paid"),
    ("it runs twice and fails", "it runs twice"),
    ("no table was found", "notable was found"),
    ("the sp\u0430ce is full", "the space is full"),
    ("the r\u00e9sum\u00e9 is long", "the resume is long"),
    ("1,700 beekeepers", "1,701 beekeepers"),
    # Punctuation that makes another sentence.
    ("The vaccine causes illness", "The vaccine causes illness?"),
    ("The vaccine causes illness.", "\u201cThe vaccine causes illness\u201d?"),
    ("Eat, Grandma, now", "Eat Grandma, now"),
    ('the "expert" said so', "the expert said so"),
    ("the expert said so", 'the "expert" said so'),
    # Cells of a table.
    ("7 10 in all", "| 7 | 10 in all |"),
    ("710 in all", "7 | 10 in all"),
    ("no problems known", "no | problems known"),
    ("7 | 10 in all", "7 | | 10 in all"),
    # Marks of Markdown and entities that aren't.
    ("a factor of 23 and 45", "a factor of 2*3 and 4*5"),
    ("it may run twice", "it may ~~never~~ run twice"),
    ("5 were left over", "Of these\n> 5 were left over"),
    ("as in [13] and others", "as in [12] and others"),
    ("56 were left over", "5[1]6 were left over"),
    ("the values <5 are left", "the values &gt;5 are left"),
    # Too little to prove anything.
    ("key", "A key."),
    ("server", "The server is full."),
    ("1700", "There are 1700 beekeepers."),
    ("桥关", "桥关闭了\u3002"),
    ("---- ---- ----", "---- ---- ----"),
    ("", "A key."),
    ("\u2026", "\u2026 \u2026"),
]


@pytest.mark.parametrize(("quote", "source"), STANDS)
def test_a_harmless_difference_stands(quote: str, source: str) -> None:
    assert stands_in(quote, source)


@pytest.mark.parametrize(("quote", "source"), FALLS)
def test_a_changed_meaning_falls(quote: str, source: str) -> None:
    assert not stands_in(quote, source)


@pytest.mark.parametrize(("quote", "source"), [*STANDS, *FALLS])
def test_what_stands_around_the_source_changes_nothing(quote: str, source: str) -> None:
    around = f"Nothing else is known.\n\n{source}\n\nNothing else is known."
    assert stands_in(quote, around) == stands_in(quote, source)


def test_there_are_enough_of_both_kinds() -> None:
    assert min(len(STANDS), len(FALLS)) >= 75
    assert len(set(STANDS) | set(FALLS)) == len(STANDS) + len(FALLS) >= 150
