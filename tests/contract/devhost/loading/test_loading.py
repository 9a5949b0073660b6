"""devhost loads what the genuine Python worker loads, and refuses what that refuses."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from devhost.worker.signatures import VERSIONS
from testbed.genuine_worker import GenuineWorker
from testbed.host import ROOT

from .conftest import Verdicts, judged
from .corpus import SmallApp, Version, small_apps

APPS = small_apps()
THIS: Version = sys.version_info[:2]

WITH_EXTENSION = """
import azure.functions as func
import azurefunctions.extensions.base as extensions

class Client(extensions.SdkType):
    def __init__(self, *, data): ...
    def get_sdk_type(self): ...

class Converter(extensions.InConverter, binding="blob", trigger="blobTrigger"):
    @classmethod
    def check_input_type_annotation(cls, pytype):
        return issubclass(pytype, Client)

app = func.FunctionApp()

@app.generic_trigger(arg_name="client", type="{}Trigger")
def take(client: Client): ...
"""

every_app = pytest.mark.parametrize("app", APPS, ids=[app.title for app in APPS])


@every_app
def test_both_judge_an_app_alike(
    genuine: Verdicts, beside_the_genuine: Verdicts, app: SmallApp
) -> None:
    there, here = genuine[app.title], beside_the_genuine[app.title]
    assert matches(there, app.usual)
    assert matches(here, app.usual)
    assert there.get("functions") == here.get("functions")
    if name := named(there):
        assert named(here) == name


@every_app
def test_an_app_is_judged_for_each_version_of_python(
    for_python: Callable[[str], Verdicts], app: SmallApp
) -> None:
    # `typing` of 3.10 has already changed what later versions take as it is written.
    for python in VERSIONS if THIS > (3, 10) else (THIS,):
        verdict = for_python("{}.{}".format(*python))[app.title]
        assert matches(verdict, app.expected(python)), f"on {python}: {verdict}"


@pytest.mark.parametrize(("trigger", "loads"), [("blob", True), ("queue", False)])
def test_a_class_of_an_extension_of_the_worker_is_its_converters_to_judge(
    genuine_worker: GenuineWorker, tmp_path: Path, trigger: str, loads: bool
) -> None:
    # Once an app has imported it, other apps of the process would be judged with it as well.
    (tmp_path / "function_app.py").write_text(WITH_EXTENSION.format(trigger), "utf-8")
    for judge in ("genuine", "devhost"):
        verdict = judged({"app": str(tmp_path)}, genuine_worker.python, judge)["app"]
        assert ("functions" in verdict) == loads, verdict


def test_the_genuine_library_loads_all_functions_of_our_app(genuine_worker: GenuineWorker) -> None:
    ours = {"ours": str(ROOT)}
    there = judged(ours, genuine_worker.python, "genuine")["ours"]
    here = judged(ours, sys.executable, "devhost")["ours"]
    assert "functions" in there
    assert there == here


def matches(verdict: Mapping[str, Any], expected: str) -> bool:
    """Tell whether a verdict is the expected one, in the words that are to be in it."""
    loads, _, words = expected.partition("refused: ")
    return "functions" in verdict if loads else words in verdict.get("refused", "")


def named(verdict: Mapping[str, Any]) -> str | None:
    """Return the function that the worker names as the one that it refuses."""
    found = re.search(r"cannot load the (\S+) function: ", verdict.get("refused", ""))
    return found and found[1]
