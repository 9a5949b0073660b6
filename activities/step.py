"""How a function becomes an activity: registered, seen in a trace, and failing in one sentence."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Awaitable, Callable, Coroutine
from functools import wraps
from typing import Any, TypeAlias, TypeVar, get_type_hints

import azure.durable_functions as df
from typing_extensions import ParamSpec

from countersign.destinations.destination import WritingError
from countersign.platform.telemetry import span
from countersign.services import Services
from countersign.steps.records import Closed, Result, Settled, Stop, Wait, Work, read, to_json
from countersign.stores.errors import StoreError
from countersign.team.errors import TeamError
from countersign.wiring import services

P = ParamSpec("P")
Answered = TypeVar("Answered")
Given = TypeVar("Given", bound=Work)
Activity: TypeAlias = Callable[[Services, Given], Awaitable[Result]]

LONGEST_NAME = 100
"""Characters of a name that code gives itself, of which a library may make any number."""


class StandsBy(Exception):
    """Another task hub serves the storage, and what this one has begun waits."""


FORESEEN = (StandsBy, StoreError, WritingError, TeamError)

_log = logging.getLogger(__name__)


class ActivityFailed(Exception):
    """An activity met something unforeseen: the message says what to look for in the log."""


def step(blueprint: df.Blueprint) -> Callable[[Activity[Given]], Any]:
    """Register the function below as an activity, under its own name.

    It is called with the app's services and with what its second parameter is annotated with, read
    from the JSON that the orchestration gave. What it returns goes back as JSON.

    Args:
        blueprint: where it is registered.
    """

    def register(activity: Activity[Given]) -> Any:
        given = {name: kind for name, kind in get_type_hints(activity).items() if name != "return"}
        _, kind = given.values()

        # The worker refuses an app of which one function has an annotation that is no class.
        async def run(work: dict) -> Any:
            app = services()
            await make_sure_it_serves(app)
            return to_json(await traced(activity, app, read(kind, work)))

        # Not `wraps`: the worker would look for the parameters of the function that is wrapped.
        run.__name__, run.__doc__ = activity.__name__, activity.__doc__
        return blueprint.activity_trigger(input_name="work")(contained(run))

    return register


async def make_sure_it_serves(app: Services) -> None:
    """See that no other hub has taken over since an orchestration began in this one.

    Nothing is written, sent or paid for twice for that: what fails here is tried again for a while,
    and the other hub carries on from the ledger.

    Raises:
        StandsBy: one has.
        StoreError: nobody can say.
    """
    if not await app.serving.is_here():
        raise StandsBy(f"{app.serving.other_hub} serves this storage")


def contained(
    activity: Callable[P, Awaitable[Answered]],
) -> Callable[P, Coroutine[Any, Any, Answered]]:
    """Let an activity fail with one short sentence, and write the cause to the host's log.

    What an activity raises is kept in the history of its orchestration, once for each attempt:
    the worker sends the message and the traceback, and newer workers those of every cause. Any of
    it may quote a document, a model's answer or a connection string, and a text over 64 KB can
    hang the instance (Azure/azure-functions-durable-extension, issue 502).

    Args:
        activity: what returns its answer, the expected stops too.

    Raises:
        ActivityFailed: by what is returned, in place of anything that `activity` raises.
    """

    @wraps(activity)
    async def safely(*args: P.args, **kwargs: P.kwargs) -> Answered:
        try:
            return await activity(*args, **kwargs)
        except FORESEEN as error:
            # What comes of a service that is away says enough, and is said again at each try.
            _log.warning("%s failed: %s", activity.__name__, error)
            failed = _failed(error)
        except Exception as error:  # noqa: BLE001 - the edge of the process: see above
            _log.exception("%s failed", activity.__name__)
            failed = _failed(error)
        # Raised outside of the handler, it has no cause and no context to be sent along.
        raise failed

    return safely


async def traced(activity: Activity[Given], app: Services, work: Given) -> Result:
    """Run an activity in a span that says what it works on, and how it came out.

    The `trace` of the work stands for the request where the platform has no trace of its own. It
    comes through the orchestration's input, so all activities belong to one trace, on whatever day
    and in whatever process they run.
    """
    with span(
        activity.__name__,
        operation_id=work.operation_id,
        caller=work.trace,
        version=getattr(work, "version", None),
        round=getattr(work, "round", None),
        subtopic=getattr(work, "subtopic", None),
    ) as current:
        result = await activity(app, work)
        if outcome := _outcome(result):
            current.set_attribute("countersign.outcome", outcome)
        return result


def _outcome(result: Result) -> str | None:
    match result:
        case Wait():
            return "needs_operator"
        case Stop():
            return result.ends_as
        case Settled():
            return result.next
        case Closed():
            return result.outcome
        case _:
            return None


def _failed(error: Exception) -> ActivityFailed:
    return ActivityFailed(f"{_kind(error)} in {_place(error)}; see the host's log.")


def _kind(error: Exception) -> str:
    return type(error).__name__[:LONGEST_NAME]


def _place(error: Exception) -> str:
    *_, (frame, line) = traceback.walk_tb(error.__traceback__)
    return f"{str(frame.f_globals.get('__name__'))[:LONGEST_NAME]}:{line}"
