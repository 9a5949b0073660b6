"""The details of failures, in the form in which .NET's serialiser writes exceptions."""

from __future__ import annotations

from typing import Any

from devhost.durable.history import compact

FailureDetails = dict[str, Any]

_CORE = "System.Private.CoreLib"
_HRESULT = -2146233088


def failure_details(kind: str, message: str, cause: FailureDetails | None = None) -> str:
    """Return the `Details` of a failure.

    Args:
        kind: The class of the exception.
        message: What it says.
        cause: The exception behind it, such as `python_failure`.
    """
    return compact(
        {
            "$type": f"{kind}, {_CORE}",
            "ClassName": kind,
            "Message": message,
            "Data": None,
            "InnerException": cause,
            "HelpURL": None,
            "StackTraceString": None,
            "RemoteStackTraceString": None,
            "RemoteStackIndex": 0,
            "ExceptionMethod": None,
            "HResult": _HRESULT,
            "Source": None,
            "WatsonBuckets": None,
        }
    )


def python_failure(message: str, stack: str) -> FailureDetails:
    """Return the exception that the Functions host makes of one that a Python function raised."""
    return {
        "$type": "Microsoft.Azure.WebJobs.Script.Workers.Rpc.RpcException,"
        " Microsoft.Azure.WebJobs.Script",
        "IsUserException": False,
        "RemoteStackTrace": stack,
        "RemoteMessage": message,
        "RemoteTypeName": None,
        "Message": f"Result: Failure\nException: {message}\nStack: {stack}",
        "Data": {"$type": f"System.Collections.ListDictionaryInternal, {_CORE}"},
        "InnerException": None,
        "HelpLink": None,
        "Source": "System.Private.CoreLib",
        "HResult": _HRESULT,
        "StackTrace": None,
    }
