"""The function app: one `AgentFunctionApp`, and every blueprint registered on it."""

import azure.functions as func
from agent_framework_azurefunctions import AgentFunctionApp

import activities.proposals
import activities.publish
import activities.research
import endpoints.decisions
import endpoints.operations
import endpoints.proposals
import endpoints.reconcile
import endpoints.research
import endpoints.service
import orchestrators.gate
import orchestrators.research

app = AgentFunctionApp(
    agents=[],
    http_auth_level=func.AuthLevel.FUNCTION,
    enable_http_endpoints=False,
    enable_health_check=False,
)

for module in (
    orchestrators.research,
    orchestrators.gate,
    activities.research,
    activities.proposals,
    activities.publish,
    endpoints.research,
    endpoints.operations,
    endpoints.proposals,
    endpoints.decisions,
    endpoints.reconcile,
    endpoints.service,
):
    # The class's declared base hides what it inherits from `df.DFApp`.
    app.register_functions(module.blueprint)  # pyright: ignore[reportAttributeAccessIssue]
