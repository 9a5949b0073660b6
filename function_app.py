"""The function app: one `AgentFunctionApp`, and every blueprint registered on it."""

import azure.functions as func
from agent_framework_azurefunctions import AgentFunctionApp

from activities.proposals import proposals
from activities.publish import publishing
from activities.research import researching
from endpoints.decisions import decisions
from endpoints.operations import operations
from endpoints.proposals import proposal_pages
from endpoints.reconcile import reconciling
from endpoints.research import research_requests
from endpoints.service import service
from orchestrators.gate import gates
from orchestrators.research import stories

app = AgentFunctionApp(
    agents=[],
    http_auth_level=func.AuthLevel.FUNCTION,
    enable_http_endpoints=False,
    enable_health_check=False,
)

for blueprint in (
    stories,
    gates,
    researching,
    proposals,
    publishing,
    research_requests,
    operations,
    proposal_pages,
    decisions,
    reconciling,
    service,
):
    app.register_functions(blueprint)  # pyright: ignore[reportAttributeAccessIssue]
