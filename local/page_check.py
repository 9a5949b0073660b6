"""Check the types of the page's scripts, with TypeScript, and their style, with Biome."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from local.errors import Missing
from local.node import find_node
from local.npm_package import NpmPackage
from local.settings import APP

PAGE = APP / "countersign" / "review" / "page"
REQUIRED = "COUNTERSIGN_REQUIRE_TYPESCRIPT"


class PageTools(NpmPackage):
    """The npm packages that check the page; its `jsconfig.json` and `biome.json` say how.

    Args:
        folder: Where they are, or are going to be.

    Attributes:
        commands: What Node.js runs in the folder of the page.
    """

    def __init__(self, folder: Path = APP / ".page-tools") -> None:
        super().__init__("TypeScript and Biome", Path(__file__).with_name("npm") / "page", folder)
        modules = folder / "node_modules"
        self.commands = (
            [str(modules / "typescript" / "bin" / "tsc"), "--project", "jsconfig.json"],
            [str(modules / "@biomejs" / "biome" / "bin" / "biome"), "check", "--error-on-warnings"],
        )


def main(paths: Sequence[str]) -> int:
    """Check the whole page, unless the paths are all elsewhere.

    Returns:
        The highest exit code; 0 where there is no Node.js and none is required.
    """
    if paths and not any(_concerns_the_page(Path(path).resolve()) for path in paths):
        return 0
    tools = PageTools()
    try:
        node = find_node()
        tools.make_ready()
    except Missing as missing:
        print(f"The scripts of the page are not checked: {missing}", file=sys.stderr)
        return 1 if os.environ.get(REQUIRED) else 0
    return max([subprocess.call([node, *command], cwd=PAGE) for command in tools.commands])


def _concerns_the_page(path: Path) -> bool:
    return path.is_relative_to(PAGE) or PAGE.is_relative_to(path)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
