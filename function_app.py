"""The function app: one `AgentFunctionApp`, and every blueprint registered on it."""

from collections.abc import Callable
from typing import Any

import azure.functions as func
from agent_framework_azurefunctions import AgentFunctionApp

import activities.notify
import activities.proposals
import activities.purchases
import activities.questions
import activities.research
import endpoints.anchors
import endpoints.comments
import endpoints.decisions
import endpoints.documents
import endpoints.opened
import endpoints.operations
import endpoints.own_text
import endpoints.passkeys
import endpoints.people
import endpoints.proof
import endpoints.proposals
import endpoints.purchases
import endpoints.purge
import endpoints.questions
import endpoints.rebuilding
import endpoints.reconcile
import endpoints.research
import endpoints.retries
import endpoints.review
import endpoints.service
import endpoints.stopping
import endpoints.wrong_path
import orchestrators.gate
import orchestrators.purchase
import orchestrators.questions
import orchestrators.research
from activities.entities import entity_trigger


class App(AgentFunctionApp):
    """An app whose agents take no thread of the worker's while they wait for a model."""

    def entity_trigger(self, context_name: str, entity_name: str) -> Callable[..., Any]:
        """Register an agent's entity."""
        # The framework declares less of its base than it has: it is a `df.DFApp`.
        return entity_trigger(self, context_name, entity_name)  # pyright: ignore[reportArgumentType]


app = App(
    agents=[activities.questions.HostedFactChecker()],
    http_auth_level=func.AuthLevel.FUNCTION,
    enable_http_endpoints=False,
    enable_health_check=False,
)

for module in (
    orchestrators.research,
    orchestrators.purchase,
    orchestrators.gate,
    activities.research,
    activities.notify,
    activities.proposals,
    activities.purchases,
    activities.questions,
    endpoints.passkeys,
    endpoints.people,
    endpoints.documents,
    endpoints.research,
    endpoints.purchases,
    endpoints.operations,
    endpoints.retries,
    endpoints.stopping,
    endpoints.proposals,
    endpoints.opened,
    endpoints.decisions,
    endpoints.own_text,
    endpoints.comments,
    endpoints.proof,
    endpoints.questions,
    endpoints.rebuilding,
    endpoints.reconcile,
    endpoints.purge,
    endpoints.anchors,
    endpoints.review,
    endpoints.service,
    endpoints.wrong_path,
):
    # The class's declared base hides what it inherits from `df.DFApp`.
    app.register_functions(module.blueprint)  # pyright: ignore[reportAttributeAccessIssue]

# This story talks to an agent that the app hosts, so it is given the app's way to reach one.
questions = orchestrators.questions.blueprint_with(app.get_agent)
app.register_functions(questions)  # pyright: ignore[reportAttributeAccessIssue]
