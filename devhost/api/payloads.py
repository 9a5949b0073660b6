"""The JSON documents of the durable management API."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

from devhost.durable.instance import Instance

Json = dict[str, Any]

_PATHS = {
    "statusQueryGetUri": "",
    "sendEventPostUri": "/raiseEvent/{eventName}",
    "terminatePostUri": "/terminate?reason={text}",
    "rewindPostUri": "/rewind?reason={text}",
    "purgeHistoryDeleteUri": "",
    "restartPostUri": "/restart",
    "suspendPostUri": "/suspend?reason={text}",
    "resumePostUri": "/resume?reason={text}",
}
# The key is not checked here. It is sent all the same, so that an app which leaks these addresses
# leaks it here as well, where a test can see it.
_KEY = "code=devhost-system-key"

WRONG = "Something went wrong while processing your request"
"""The message of an answer to what nobody foresaw."""


def management_urls(base: str, hub: str, instance_id: str) -> Json:
    """Return the addresses that manage one instance.

    Args:
        base: The address of the management API, without a slash at its end.
        hub: The name of the task hub.
        instance_id: The instance, or a text to be replaced by its id.
    """
    query = f"taskHub={hub}&connection=Storage&{_KEY}"
    urls = {"id": instance_id}
    quoted = quote(instance_id, safe="@:")
    for name, path in _PATHS.items():
        urls[name] = f"{base}/instances/{quoted}{path}{'&' if '?' in path else '?'}{query}"
    return urls


def check_status(base: str, hub: str, instance_id: str) -> Json:
    """Return the answer to a start: all addresses but the one that only the SDK builds."""
    urls = management_urls(base, hub, instance_id)
    del urls["rewindPostUri"]
    return urls


def client_binding(origin: str, hub: str) -> str:
    """Return the JSON text that the durable client binding gives the app."""
    base = f"{origin}/runtime/webhooks/durabletask"
    create = f"{base}/orchestrators/{{functionName}}[/{{instanceId}}]"
    wait = "timeout={timeoutInSeconds}&pollingInterval={intervalInSeconds}"
    return json.dumps(
        {
            "taskHubName": hub,
            "creationUrls": {
                "createNewInstancePostUri": f"{create}?{_KEY}",
                "createAndWaitOnNewInstancePostUri": f"{create}?{wait}&{_KEY}",
            },
            "managementUrls": management_urls(base, hub, "INSTANCEID"),
            "baseUrl": base,
            "requiredQueryStringParameters": _KEY,
            "rpcBaseUrl": f"{origin}/durabletask/",
        }
    )


def status(instance: Instance, *, show_input: bool = True) -> Json:
    """Return the status document of an instance."""
    parent = {"parentInstanceId": instance.parent.id} if instance.parent else {}
    return {
        "name": instance.name,
        "instanceId": instance.id,
        **parent,
        "runtimeStatus": instance.status,
        "input": value(instance.input) if show_input else None,
        "customStatus": value(instance.custom_status),
        "output": value(instance.output),
        "createdTime": f"{instance.created[:19]}Z",
        "lastUpdatedTime": f"{instance.updated[:19]}Z",
    }


def value(text: str | None) -> Any:
    """Return the value of a JSON text, or the text itself if it can't be read as one."""
    if text is None:
        return None
    try:
        return json.loads(text)
    except (RecursionError, ValueError):
        return text


def fault(message: str, reason: str, kind: str = "System.InvalidOperationException") -> Json:
    """Return the document about an exception, of which the SDK's client reads the reason."""
    return {
        "Message": message,
        "ExceptionMessage": reason,
        "ExceptionType": kind,
        "StackTrace": "",
    }
