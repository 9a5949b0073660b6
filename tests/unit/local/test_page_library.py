"""What the page's editor is made of is bundled from what the repository names."""

from __future__ import annotations

import json

from local.page_library import BUNDLE, LOCK, made_from


def test_the_bundle_was_made_from_these_versions() -> None:
    first, _, _ = BUNDLE.read_text("utf-8").partition("\n")
    assert first == made_from(), "run local/page_library.py"


def test_the_bundle_holds_the_licence_of_each_package() -> None:
    script = BUNDLE.read_text("utf-8")
    packages = json.loads(LOCK.read_text("utf-8"))["packages"]
    bundled = [
        name for name in packages if "/prosemirror-" in name or name.endswith("/markdown-it")
    ]
    versions = {
        f"{name.removeprefix('node_modules/')} {packages[name]['version']}"
        for name in bundled
        if "@types" not in name and "linkify" not in name
    }
    assert len(versions) >= 9
    assert {each for each in versions if f"\n{each}\n" not in script} == set()
    assert script.count("Permission is hereby granted") >= len(versions)


def test_the_bundle_asks_no_other_address() -> None:
    script, _, _ = BUNDLE.read_text("utf-8").partition("\n/*\n")
    for word in ("fetch(", "XMLHttpRequest", "eval(", "new Function"):
        assert word not in script
