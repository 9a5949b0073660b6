"""The types of the API's answers, for the page's JavaScript: `python -m local.api_types`."""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from local.node import find_node
from local.npm_package import NpmPackage
from local.settings import APP

FILE = APP / "countersign" / "review" / "page" / "api.d.ts"

_TOOL = Path("node_modules") / "openapi-typescript" / "bin" / "cli.js"


def openapi_package() -> NpmPackage:
    """Return the npm package `openapi-typescript`, and what compiles and runs what it makes."""
    return NpmPackage(
        "openapi-typescript", Path(__file__).with_name("npm") / "openapi", APP / ".openapi"
    )


def types_of(description: Mapping[str, Any]) -> str:
    """Return the TypeScript types of an API.

    Args:
        description: Its description, in OpenAPI 3.1.

    Raises:
        Missing: There is no Node.js, or npm could not install the tool.
        CalledProcessError: The tool can't make types of this.
    """
    package = openapi_package()
    package.make_ready()
    # What has a default may be left out of a request.
    options = ["--root-types", "--root-types-no-schema-prefix", "--default-non-nullable=false"]
    with tempfile.TemporaryDirectory() as folder:
        document, types = Path(folder, "openapi.json"), Path(folder, "api.d.ts")
        document.write_text(json.dumps(description), "utf-8")
        command = [find_node(), package.folder / _TOOL, document, "--output", types, *options]
        subprocess.run(command, cwd=folder, check=True, capture_output=True)
        return types.read_text("utf-8")


def page_types() -> str:
    """Return the types of the bodies that the page sends and is answered with."""
    import function_app
    from endpoints.openapi import description

    assert function_app.app  # noqa: S101 - its routes are registered by now
    return types_of({**description(), "paths": {}})


def main() -> None:
    """Write the page's types anew."""
    FILE.write_text(page_types(), "utf-8")


if __name__ == "__main__":
    main()
