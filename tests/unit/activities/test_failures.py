"""An activity that fails says so in one short sentence, whatever it was that failed."""

from __future__ import annotations

import json
import logging
import subprocess
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from activities.step import ActivityFailed, contained

ROOT = Path(__file__).parent.parent.parent.parent
CONFIDENTIAL = "AccountKey=c2VjcmV0"
LOUD = f"{CONFIDENTIAL} " * 50_000
MOST_BYTES = 2_048

CALL_EACH = """
import asyncio, json, logging
import function_app

logging.disable()
raised = {}
for each in function_app.app.get_functions():
    if each.get_trigger().type == "activityTrigger":
        try:
            asyncio.run(each.get_user_function()("no order"))
        except BaseException as error:
            raised[each.get_function_name()] = type(error).__name__
print(json.dumps(raised))
"""


@contained
async def read(order: dict[str, Any]) -> None:
    """Fail with a long story behind a long message."""
    try:
        order[LOUD]
    except KeyError as error:
        cause = ValueError(LOUD)
        cause.__context__ = error
        raise OSError(LOUD) from cause


async def name_of_any_length() -> None:
    raise type("N" * 10_000, (Exception,), {})(LOUD)


async def no_end() -> None:
    await no_end()


async def failure(activity: Callable[..., Any], *args: Any) -> ActivityFailed:
    with pytest.raises(ActivityFailed) as caught:
        await activity(*args)
    return caught.value


def sent_by_the_worker(error: BaseException) -> str:
    """Message and traceback, the causes' included, as the Functions worker of Python 3.13 sends it.

    That of 3.10 to 3.12 sends the error's own traceback only (`marshall_exception_trace` in
    Azure/azure-functions-python-worker).
    """
    return f"{type(error).__name__}: {error}" + "".join(traceback.format_exception(error))


@pytest.mark.parametrize("activity", [read, contained(name_of_any_length), contained(no_end)])
async def test_no_text_over_two_kilobytes_leaves_an_activity(activity: Callable[..., Any]) -> None:
    error = await failure(activity, *[{}] * (activity is read))
    assert len(sent_by_the_worker(error).encode("utf-16-le")) < MOST_BYTES


async def test_nothing_of_what_was_being_worked_on_leaves_an_activity() -> None:
    error = await failure(read, {})
    assert CONFIDENTIAL not in sent_by_the_worker(error)
    assert (error.__cause__, error.__context__) == (None, None)


async def test_the_sentence_says_what_failed_and_where() -> None:
    assert str(await failure(read, {})).startswith(f"OSError in {__name__}:")


async def test_the_hosts_log_gets_the_whole_story(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR):
        await failure(read, {})
    assert all(kind in caplog.text for kind in ("ValueError", "KeyError", "OSError", CONFIDENTIAL))


async def test_what_an_activity_returns_passes_unchanged() -> None:
    @contained
    async def stop(order: dict[str, str]) -> dict[str, str]:
        return {"ends_as": "failed", **order}

    assert await stop({"reason": "-"}) == {"ends_as": "failed", "reason": "-"}


def test_every_activity_of_the_app_is_contained() -> None:
    done = subprocess.run(
        [sys.executable, "-c", CALL_EACH], cwd=ROOT, capture_output=True, text=True, check=True
    )
    raised = json.loads(done.stdout)
    assert len(raised) >= 8
    assert set(raised.values()) == {"ActivityFailed"}
