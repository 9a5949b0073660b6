"""A checkpoint as plain JSON, and back: nothing in it can name code, so nothing can run.

The framework's own encoding pickles whatever is not JSON. This one knows the three classes that the
framework itself puts into a checkpoint, and refuses everything else when it is saved.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from agent_framework import WorkflowCheckpoint, WorkflowEvent, WorkflowMessage

from countersign.graph.errors import DamagedCheckpoint, NotJson

Json: TypeAlias = Any

FORMAT = 1

_CHECKPOINT, _MESSAGE, _REQUEST = "$checkpoint", "$message", "$request"
_FIELDS = (
    "workflow_name",
    "graph_signature_hash",
    "checkpoint_id",
    "previous_checkpoint_id",
    "timestamp",
    "iteration_count",
    "metadata",
    "version",
    "state",
)
_TYPES = {kind.__name__: kind for kind in (object, dict, list, str, int, float, bool)}
"""The types that a request can be of and ask for, by name."""


def to_json(checkpoint: WorkflowCheckpoint, where: str = "the checkpoint") -> dict[str, Json]:
    """Return the JSON of a checkpoint.

    Raises:
        NotJson: something in it is no plain JSON; the error says what and where.
    """
    plain = {name: _plain(getattr(checkpoint, name), f"{where}.{name}") for name in _FIELDS}
    messages = {
        source: [_message(each, f"{where}.messages[{source!r}]") for each in sent]
        for source, sent in checkpoint.messages.items()
    }
    pending = {
        request_id: _request(event, f"{where}.pending[{request_id!r}]")
        for request_id, event in checkpoint.pending_request_info_events.items()
    }
    return {"format": FORMAT, **plain, "messages": messages, "pending": pending}


def from_json(document: Json) -> WorkflowCheckpoint:
    """Return the checkpoint that `to_json` made this of.

    Raises:
        DamagedCheckpoint: it is not such a document.
    """
    try:
        if document["format"] != FORMAT:
            raise DamagedCheckpoint(f"the checkpoint is of format {document['format']!r}")
        fields = {name: _restored(document[name]) for name in _FIELDS}
        messages = {
            source: [_restored_message(each) for each in sent]
            for source, sent in document["messages"].items()
        }
        pending = {
            request_id: _restored_request(event)
            for request_id, event in document["pending"].items()
        }
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
        raise DamagedCheckpoint(f"the checkpoint lacks something: {error!r}") from error
    return WorkflowCheckpoint(**fields, messages=messages, pending_request_info_events=pending)


def _plain(value: Any, where: str) -> Json:
    if value is None or type(value) in (str, int, bool):
        return value
    if type(value) is float:
        return _finite(value, where)
    if type(value) is list:
        return [_plain(each, f"{where}[{place}]") for place, each in enumerate(value)]
    if type(value) is dict:
        return _plain_dict(value, where)
    for kind, tag, encode in _FRAMEWORK:
        if type(value) is kind:
            return {tag: encode(value, where)}
    raise NotJson(where, f"a {type(value).__module__}.{type(value).__qualname__}")


def _finite(value: float, where: str) -> float:
    if not math.isfinite(value):
        raise NotJson(where, repr(value))
    return value


def _plain_dict(value: dict[Any, Any], where: str) -> Json:
    for key in value:
        if type(key) is not str:
            raise NotJson(f"a key of {where}", f"a {type(key).__qualname__}")
        if key.startswith("$"):
            raise NotJson(f"the key {key!r} of {where}", "reserved")
    return {key: _plain(each, f"{where}[{key!r}]") for key, each in value.items()}


def _message(message: WorkflowMessage, where: str) -> Json:
    asked = message.original_request_info_event
    return {
        **{
            name: _plain(value, f"{where}.{name}")
            for name, value in message.to_dict().items()
            if name != "original_request_info_event"
        },
        "answers": _request(asked, f"{where}.answers") if asked else None,
    }


def _request(event: WorkflowEvent[Any], where: str) -> Json:
    if event.type != "request_info":
        raise NotJson(where, f"an event of type {event.type}")
    return {
        "data": _plain(event.data, f"{where}.data"),
        "request_id": event.request_id,
        "executor": event.source_executor_id,
        "response_type": _type_name(event.response_type, where),
    }


def _type_name(kind: Any, where: str) -> str:
    # A union or an alias of types is no class, and need not have a name.
    name = getattr(kind, "__name__", "")
    if _TYPES.get(name) is not kind:
        raise NotJson(f"the response type of {where}", repr(kind))
    return name


def _restored(value: Json) -> Any:
    if isinstance(value, list):
        return [_restored(each) for each in value]
    if not isinstance(value, dict):
        return value
    if len(value) == 1:
        (tag, content) = next(iter(value.items()))
        if tag in _DECODERS:
            return _DECODERS[tag](content)
    return {key: _restored(each) for key, each in value.items()}


def _restored_message(content: Json) -> WorkflowMessage:
    asked = content["answers"]
    fields = {name: _restored(each) for name, each in content.items() if name != "answers"}
    message = WorkflowMessage.from_dict(fields)
    message.original_request_info_event = _restored_request(asked) if asked else None
    return message


def _restored_request(content: Json) -> WorkflowEvent[Any]:
    return WorkflowEvent.request_info(
        request_id=content["request_id"],
        source_executor_id=content["executor"],
        request_data=_restored(content["data"]),
        response_type=_TYPES[content["response_type"]],
    )


_FRAMEWORK: tuple[tuple[type, str, Callable[[Any, str], Json]], ...] = (
    (WorkflowCheckpoint, _CHECKPOINT, to_json),
    (WorkflowMessage, _MESSAGE, _message),
    (WorkflowEvent, _REQUEST, _request),
)
_DECODERS: Mapping[str, Callable[[Json], Any]] = {
    _CHECKPOINT: from_json,
    _MESSAGE: _restored_message,
    _REQUEST: _restored_request,
}
