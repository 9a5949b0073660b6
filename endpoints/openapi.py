"""The description of the API (OpenAPI 3.1): what its routes and the records of its answers say."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import cache
from http import HTTPStatus
from inspect import getdoc

from endpoints.answers.problems import PROBLEMS, status_of
from endpoints.callers import SENDER, changes_something
from endpoints.links import ROOT
from endpoints.parameters import IN_PATHS, Parameter
from endpoints.routes import ROUTES, Route
from endpoints.schemas import REFERENCE, Schema, Schemas

_IN_PATH = re.compile(r"\{\*?(\w+)\}")


@cache
def description() -> Schema:
    """Return the whole description, as JSON."""
    schemas = Schemas(ROUTES)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Countersign",
            "version": "1",
            "description": "Agents and people prepare proposals; a named person approves what goes"
            " out. Research reads only the sources it is given: the operator's library, or the"
            " documents in a request. `GET /sources` lists the other places where it can look.",
        },
        "servers": [{"url": ROOT}],
        "security": [{"token": []}],
        "paths": _paths(schemas),
        "components": {
            "schemas": schemas.components,
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"}
            },
        },
    }


def problems_of(route: Route) -> Sequence[str]:
    """Return the codes of all problems that a route can answer."""
    wanted, parameters = route.exchange.wanted, route.parameters
    codes = ["internal", *route.problems]
    if "person" in wanted:
        codes += ["unauthenticated", "insufficient_scope", "keys_unavailable", "not_configured"]
        if changes_something(route.method):
            codes += ["forgery_suspected", "another_person"]
    if "app" in wanted:
        codes += ["not_configured", "store_unavailable"]
    if route.exchange.roles:
        codes.append("not_authorised")
    if _IN_PATH.search(route.exchange.template):
        codes += ["not_found", "text_lost"]
    if "sent" in wanted:
        codes += ["length_required", "too_large"]
    if "sent" in wanted or parameters:
        codes.append("malformed")
    return list(dict.fromkeys(codes))


def _paths(schemas: Schemas) -> Schema:
    paths: Schema = {}
    for route in ROUTES:
        path = "/" + _IN_PATH.sub(r"{\1}", route.exchange.template)
        paths.setdefault(path, {})[route.method.lower()] = _call(route, schemas)
    return paths


def _call(route: Route, schemas: Schemas) -> Schema:
    summary, _, more = (getdoc(route.exchange.view) or "").partition("\n\n")
    call: Schema = {
        "operationId": route.exchange.name,
        "summary": " ".join(summary.split()).removesuffix("."),
        "tags": [route.exchange.view.__module__.rpartition(".")[2]],
    }
    if more:
        call["description"] = more
    if "person" not in route.exchange.wanted:
        call["security"] = []
    if parameters := _parameters(route):
        call["parameters"] = parameters
    if body := _body(route, schemas):
        call["requestBody"] = {"required": True, "content": body}
    call["responses"] = {**_answers(route, schemas), **_problems(problems_of(route))}
    return call


def _parameters(route: Route) -> list[Schema]:
    in_path = [IN_PATHS[name] for name in _IN_PATH.findall(route.exchange.template)]
    sender = [SENDER] if "another_person" in problems_of(route) else []
    return [_parameter(each) for each in (*in_path, *route.parameters, *sender)]


def _parameter(parameter: Parameter) -> Schema:
    described: Schema = {
        "name": parameter.name,
        "in": parameter.place,
        "required": parameter.required,
        "schema": dict(parameter.schema),
    }
    if parameter.description:
        described["description"] = parameter.description
    return described


def _body(route: Route, schemas: Schemas) -> Schema | None:
    if schema := schemas.body(route):
        return {"application/json": {"schema": schema}}
    return {"application/octet-stream": {}} if "sent" in route.exchange.wanted else None


def _answers(route: Route, schemas: Schemas) -> Schema:
    schema = schemas.answer(route) or {"type": "string"}
    content = {route.media: {"schema": schema}}
    return {
        str(status): {"description": meaning, "content": content}
        for status, meaning in route.statuses.items()
    }


def _problems(codes: Collection[str]) -> Schema:
    by_status: dict[int, list[str]] = {}
    for code in codes:
        by_status.setdefault(status_of(PROBLEMS[code]), []).append(code)
    return {str(status): _refusal(status, by_status[status]) for status in sorted(by_status)}


def _refusal(status: int, codes: Sequence[str]) -> Schema:
    references = {code: REFERENCE.format(model=PROBLEMS[code].__name__) for code in codes}
    one_of = [{"$ref": reference} for reference in references.values()]
    schema: Schema = one_of[0]
    if len(one_of) > 1:
        discriminator = {"propertyName": "code", "mapping": references}
        schema = {"oneOf": one_of, "discriminator": discriminator}
    return {
        "description": f"{HTTPStatus(status).phrase}: {', '.join(codes)}.",
        "content": {"application/problem+json": {"schema": schema}},
    }
