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

    names = ["get_review", "get_review_file", "get_review_part"]

    async def answer(file: str | None = None, **headers: str) -> func.HttpResponse:
        parts = file.split("/") if file else []
        request = func.HttpRequest(
            method="GET",
            url="https://example.org/api/review" + (f"/{file}" if file else ""),
            headers={name.replace("_", "-"): value for name, value in headers.items()},
            route_params=dict(zip(("file", "room"), reversed(parts), strict=False)),
            body=b"",
        )
        return await functions[names[len(parts)]](request)

    return answer
