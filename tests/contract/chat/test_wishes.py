"""What reviewers wish for is looked up if it is a fact, and answered truthfully."""

from __future__ import annotations

from testbed.chat_provider import Provider
from testbed.tram_report import PROOF, REPORT, THREE, TWO, Team, verdict


async def test_a_wish_for_facts_that_nobody_has_leads_to_research(
    team: Team, provider: Provider
) -> None:
    await team.first_version()
    await team.send_back("How many stops has it?")

    provider.fills_in(subtopic="Stops", look_up=["number of stops"])
    provider.fills_in(findings=[THREE])
    provider.fills_in(verdicts=[verdict(1)], notes="", approved=True)
    section = {"heading": "Stops", "body": "The line has 17 stops [2]."}
    note = "Added the stops."
    provider.fills_in(**{**REPORT, "sections": [*REPORT["sections"], section], "note": note})
    provider.fills_in(**PROOF)
    evidence = await team.write(2)
    assert [claim.claim for claim in evidence.supported()] == [TWO["claim"], THREE["claim"]]
    assert evidence.revision.startswith(note)
    assert "number of stops" in evidence.revision
    assert "1 claim was found and proved." in evidence.revision


async def test_a_wish_that_the_sources_cannot_meet_is_answered_truthfully(
    team: Team, provider: Provider
) -> None:
    await team.first_version()
    await team.send_back("Who drives it?")
    provider.fills_in(subtopic="Drivers", look_up=["drivers of the line"])
    provider.fills_in(findings=[])
    provider.fills_in(**{**REPORT, "note": "Nothing is known of the drivers."})
    evidence = await team.write(2)
    assert "Nothing that could be proved was found." in evidence.revision


async def test_a_wish_about_the_writing_is_met_without_research(
    team: Team, provider: Provider
) -> None:
    await team.first_version()
    await team.send_back("Shorter.")
    provider.fills_in(look_up=[])
    provider.fills_in(**{**REPORT, "note": "Shortened."})
    assert (await team.write(2)).revision == "Shortened."
