"""The JSON schemas of what the API takes and answers, from the annotations of its views."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, get_args, get_origin, get_type_hints

import azure.functions as func
from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaMode, models_json_schema

import endpoints.answers
from endpoints.answers.problems import PROBLEMS
from endpoints.exchange import Response
from endpoints.routes import Route

BODIES = (
    "countersign.bodies.body",
    "countersign.kinds.unions",
    "countersign.purchases.order_bodies",
    "countersign.reports.report_bodies",
    "countersign.proof.attestation",
    "countersign.proof.bundle",
)
"""Where the bodies are declared that views name, besides those of their answers."""

REFERENCE = "#/components/schemas/{model}"

Schema = dict[str, Any]


class _AllThere(GenerateJsonSchema):
    """Says that answers have every field, those with a default too: all of them are sent."""

    def field_is_required(self, field: Any, total: bool) -> bool:
        if self.mode == "serialization" and "serialization_exclude_if" not in field:
            return True
        return super().field_is_required(field, total)

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False


class Schemas:
    """The schemas of what routes take and answer.

    Attributes:
        components: those that have a name, by it.
    """

    def __init__(self, routes: Sequence[Route]) -> None:
        self._names = _names()
        forms: list[tuple[str, JsonSchemaMode, TypeAdapter[Any]]] = [
            (name, mode, TypeAdapter(form))
            for route in routes
            for name, mode, form in self._forms(route)
        ]
        self._known, shared = TypeAdapter.json_schemas(
            forms, ref_template=REFERENCE, schema_generator=_AllThere
        )
        _, problems = models_json_schema(
            [(each, "serialization") for each in PROBLEMS.values()], ref_template=REFERENCE
        )
        self.components: Schema = {**problems["$defs"], **shared.get("$defs", {})}

    def body(self, route: Route) -> Schema | None:
        """Return the schema of what a route takes; None if it takes no JSON."""
        return self._known.get((route.exchange.name, "validation"))

    def answer(self, route: Route) -> Schema | None:
        """Return the schema of what a route answers; None if that is no JSON."""
        return self._known.get((route.exchange.name, "serialization"))

    def _forms(self, route: Route) -> Iterator[tuple[str, JsonSchemaMode, Any]]:
        hints = self._hints(route)
        if hints.get("sent", bytes) is not bytes:
            yield route.exchange.name, "validation", hints["sent"]
        if hints["return"] is not func.HttpResponse:
            yield route.exchange.name, "serialization", hints["return"]

    def _hints(self, route: Route) -> Mapping[str, Any]:
        """Return what a view takes as its body and returns, out of what says so."""
        view = route.exchange.view
        hints = get_type_hints(view, localns=self._names)
        if get_origin(hints["return"]) is Response:
            [hints["return"]] = get_args(hints["return"])
        if "sent" in hints:
            [hints["sent"]] = get_args(hints["sent"])
        return hints


def _names() -> Schema:
    """Return what the names in annotations stand for that views import only where they run."""
    answers = [
        f"endpoints.answers.{each.name}" for each in iter_modules(endpoints.answers.__path__)
    ]
    names: Schema = {}
    for module in (*BODIES, *answers):
        names |= vars(import_module(module))
    return names
