"""Bundle what the page's editor is made of, from npm, into the one script that the page loads.

The script is in the repository, so that the app starts from a clone without Node.js. Run this
after the versions in `npm/page/package.json`, or what the page uses of them, have changed.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from local.errors import Missing
from local.node import find_node
from local.page_check import PAGE, PageTools

LOCK = Path(__file__).with_name("npm") / "page" / "package-lock.json"
ENTRY = PAGE / "library" / "prosemirror.d.ts"
BUNDLE = PAGE / "library" / "prosemirror.js"

_PACKAGE = re.compile(r".*node_modules/((?:@[^/]+/)?[^/]+)/")


def made_from() -> str:
    """Return the first line of the bundle: a digest of all that it is made from."""
    digest = sha256(LOCK.read_bytes() + ENTRY.read_bytes()).hexdigest()
    return f"/* Made by local/page_library.py from {digest}. Licences are at the end. */"


def main() -> int:
    """Make the bundle.

    Returns:
        0, or 1 where there is no Node.js.
    """
    tools = PageTools()
    try:
        node = find_node()
        tools.make_ready()
    except Missing as missing:
        print(f"The editor's library is not bundled: {missing}", file=sys.stderr)
        return 1
    modules = tools.folder / "node_modules"
    inputs = _bundled(node, modules, tools.folder / "bundled.json")
    licences = "\n\n".join(_licences(modules, inputs)).replace("*/", "* /")
    script = BUNDLE.read_text("utf-8").rstrip()
    BUNDLE.write_text(f"{made_from()}\n{script}\n/*\n{licences}\n*/\n", "utf-8", newline="\n")
    return 0


def _bundled(node: str, modules: Path, told: Path) -> list[str]:
    """Write the bundle; returns the paths of the files that are in it."""
    subprocess.run(
        [
            *(node, str(modules / "esbuild" / "bin" / "esbuild"), str(ENTRY)),
            *("--bundle", "--minify", "--format=esm", "--charset=utf8", "--log-level=warning"),
            *("--legal-comments=none", f"--outfile={BUNDLE}", f"--metafile={told}"),
        ],
        env={**os.environ, "NODE_PATH": str(modules)},
        check=True,
    )
    return [*json.loads(told.read_text("utf-8"))["inputs"]]


def _licences(modules: Path, inputs: list[str]) -> Iterator[str]:
    """Yield name, version and licence of each package that has a file in the bundle."""
    for name in sorted({found[1] for path in inputs if (found := _PACKAGE.match(path))}):
        folder = modules / name
        version = json.loads((folder / "package.json").read_text("utf-8"))["version"]
        [licence, *_] = sorted(folder.glob("LICEN[CS]E*"))
        text = "\n".join(line.rstrip() for line in licence.read_text("utf-8").splitlines())
        yield f"{name} {version}\n\n{text.strip()}"


if __name__ == "__main__":
    sys.exit(main())
