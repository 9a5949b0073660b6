"""Answer what is sent where the API has nothing, or no such method: with a problem document, too.

A host looks through the functions by their names, in any case of letters, and the first whose route
fits is the one. So this one's name has to be the last of all that have a route:
https://github.com/Azure/azure-functions-host, `FunctionMetadataManager`.
"""

from __future__ import annotations

import azure.functions as func

from endpoints.problems import Problem
from endpoints.routes import remainder

blueprint = func.Blueprint()


@remainder(blueprint)
async def wrong_path() -> func.HttpResponse:
    """There is nothing here."""
    raise Problem("not_found", "The API has no such path, or not for this method.")
