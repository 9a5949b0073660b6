"""What every app of this kind has to load, and nothing more: the measure of a cold start."""

import azure.functions as func
from agent_framework_azurefunctions import AgentFunctionApp

app = AgentFunctionApp(
    agents=[],
    http_auth_level=func.AuthLevel.FUNCTION,
    enable_http_endpoints=False,
    enable_health_check=False,
)
