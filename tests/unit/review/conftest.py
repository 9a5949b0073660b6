from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import azure.functions as func
import pytest

import endpoints.review

Get = Callable[..., Awaitable[func.HttpResponse]]


@pytest.fixture(scope="session")
def get() -> Get:
    """Asks for the page, or for one of its files, as a host would."""
    app = func.FunctionApp()
    app.register_functions(endpoints.review.blueprint)
    functions: dict[str, Any] = {
        str(each.get_function_name()): each.get_user_function() for each in app.get_functions()
    }

    async def answer(file: str | None = None, **headers: str) -> func.HttpResponse:
        request = func.HttpRequest(
            method="GET",
            url="https://example.org/api/review" + (f"/{file}" if file else ""),
            headers={name.replace("_", "-"): value for name, value in headers.items()},
            route_params={"file": file} if file else {},
            body=b"",
        )
        return await functions["get_review_file" if file else "get_review"](request)

    return answer
