"""Whether the model can do the work: it is asked one question."""

from __future__ import annotations

import asyncio

from countersign.team.chat import ModelChoice
from countersign.team.errors import ModelUnavailable
from local.doctor.finding import Finding

MEND = "correct COUNTERSIGN_MODEL and its settings (docs/settings.md); until then work waits"


def examine_model(choice: ModelChoice) -> Finding:
    """Say which model is chosen, and ask it for a small plan, as the work would.

    A model that is paid for takes some hundred tokens for it.
    """
    if choice.provider == "extractive":
        told = "none needed: the embedded model quotes the sources"
        return Finding(name="model", told=told)
    # Imported here because every start without a model would wait for it.
    from countersign.team import health
    from countersign.team.own_token import model_token

    where = f" at {choice.base_url}" if choice.base_url else ""
    named = f"{choice.model} ({choice.provider}){where}"
    fault = asyncio.run(health.ask(choice, model_token))
    if fault is None:
        return Finding(name="model", told=f"{named} answers correctly")
    state = "without" if isinstance(fault, ModelUnavailable) else "broken"
    return Finding(name="model", told=f"{named}: {fault}", state=state, mend=MEND)
