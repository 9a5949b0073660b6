"""Calling one function of the app as the Functions worker does. Runs in the worker process."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from azure.functions import get_binding_registry
from azure.functions.meta import Datum

from devhost.worker.contexts import context
from devhost.worker.indexing import Indexed
from devhost.worker.wire import Frame

_TEXT_TRIGGERS = {"orchestrationTrigger", "activityTrigger", "entityTrigger"}


class UnsupportedBinding(Exception):
    """The function has a binding that this host doesn't know."""


def arguments(function: Indexed, request: Frame, client: str, folder: str) -> dict[str, Any]:
    """Return the arguments for one call.

    Args:
        function: The function to call.
        request: The frame that asks for it.
        client: The durable client binding, as JSON text.
        folder: The app's folder.

    Raises:
        UnsupportedBinding: It has an input binding that this host doesn't know.
        ValueError: Its parameter can't take what the trigger brings.
    """
    values = {function.trigger["name"]: _trigger(function, request)}
    for name, kind in function.inputs.items():
        if kind != "durableClient":
            raise UnsupportedBinding(f"the binding {kind} of '{name}' is not supported here")
        values[name] = _decode(kind, Datum(client, "string"))
    if function.wants_context:
        values["context"] = context(function.name, folder, request.header)
    return values


def encode(function: Indexed, value: Any) -> Frame:
    """Return what the function returned as an answer to the host.

    Raises:
        RuntimeError: Nothing is bound to what it returned.
        TypeError, ValueError: Its type is one that the binding can't send.
    """
    kind = function.returns or function.trigger["type"]
    if function.returns is None and kind not in _TEXT_TRIGGERS:
        if value is not None:
            raise RuntimeError(
                f"function {function.name!r} without a $return binding returned a non-None value"
            )
        return Frame({"status": 204, "headers": []})
    converter = _converter(kind)
    try:
        datum = converter.encode(value, expected_type=None)
    except NotImplementedError:
        # So a converter says that it can't take a value, and so the worker passes it on
        # (`get_datum` of its bindings/meta.py).
        name = type(value).__name__
        raise TypeError(
            f'unable to encode outgoing TypedData: unsupported type "{converter}" for Python type'
            f' "{name}"'
        ) from None
    if kind == "http":
        return _http_answer(datum)
    return Frame({}, str(datum.value).encode())


def _trigger(function: Indexed, request: Frame) -> Any:
    kind = function.trigger["type"]
    if kind == "httpTrigger":
        if function.plain:
            raise ValueError('unexpected type of data received for the "generic" binding: http')
        return _decode(kind, _http_request(request))
    text = request.body.decode()
    if function.plain:
        return text
    return _decode(kind, Datum(text, "string" if kind in _TEXT_TRIGGERS else "json"))


def _decode(kind: str, datum: Datum) -> Any:
    return _converter(kind).decode(datum, trigger_metadata={})


def _converter(kind: str) -> Any:
    converter = get_binding_registry().get(kind)
    if converter is None:
        raise UnsupportedBinding(f"the binding {kind} is not supported here")
    return converter


def _http_request(request: Frame) -> Datum:
    http = request.header["http"]
    texts = {part: _texts(http[part]) for part in ("headers", "params", "query")}
    plain = {part: Datum(http[part], "string") for part in ("method", "url")}
    return Datum({**plain, **texts, "body": Datum(request.body, "bytes")}, "http")


def _texts(values: Mapping[str, str]) -> dict[str, Datum]:
    return {name: Datum(value, "string") for name, value in values.items()}


def _http_answer(datum: Datum) -> Frame:
    if datum.type == "string":
        headers = [["content-type", "text/plain; charset=utf-8"]]
        return Frame({"status": 200, "headers": headers}, datum.value.encode())
    parts = datum.value
    headers = [[name, value.value] for name, value in parts["headers"].items()]
    for cookies in parts["cookies"] or ():
        headers += [["set-cookie", morsel.OutputString()] for morsel in cookies.values()]
    status = int(parts["status_code"].value)
    return Frame({"status": status, "headers": headers}, bytes(parts["body"].value))
