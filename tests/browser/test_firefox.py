"""The page works in Firefox too: signing in, reading, deciding, and what follows."""

from __future__ import annotations

import os
import uuid
from typing import Any

import pytest

from local.errors import Missing
from testbed.desk import Desk
from testbed.firefox import find_firefox, firefox


@pytest.fixture
def installed() -> None:
    try:
        find_firefox()
    except Missing as missing:
        if os.environ.get("COUNTERSIGN_REQUIRE_FIREFOX"):
            raise
        pytest.skip(str(missing))


@pytest.mark.usefixtures("installed")
async def test_a_reviewer_signs_in_reads_and_approves_in_firefox(shared_host: Any) -> None:
    desk = Desk(shared_host)
    topic = f"Tidal mills {uuid.uuid4().hex[:8]}"
    documents = [{"title": topic, "text": f"{topic} are explained in this sentence of a source."}]
    operation = desk.ask(topic, documents=documents)
    desk.until_version(operation)
    async with firefox() as tab:
        await tab.open(f"{shared_host.url}/api/review?operation={operation}&version=1")
        await tab.click("link", "Sign in")
        await tab.until_shown("Katherine")
        await tab.click("button", "Katherine Report.Reviewer, Purchase.Approver")
        await tab.until_shown("1 of 1 quote found")
        assert await tab.value("document.querySelector('main').dataset.view") == "proposal"
        await tab.click("button", "Approve")
        await tab.click("button", "Sign and approve version 1")
        await tab.until_shown("will be sent in")
        await tab.click("button", "Send now")
        await tab.until_shown("Recorded: Katherine approved version 1.")
        await tab.until_shown("It is published now.")
    assert desk.operation(operation)["state"] == "published"
