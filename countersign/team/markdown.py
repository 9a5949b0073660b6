"""Write untrusted text so that Markdown shows it and takes none of it for markup."""

from __future__ import annotations

import re

from countersign.sources.reading import printable

# Many readers make a link of a bare address, too: https://github.github.com/gfm/#autolinks-extension-
_ADDRESS = r"(?<=http):(?=//)|(?<=https):(?=//)|(?<=ftp):(?=//)|(?<=www)\."
_INLINE = re.compile(
    rf"[\\`*\[\]<>|~]|(?<![^\W_])_|_(?![^\W_])|&(?=#?\w+;)|!(?=\[)|{_ADDRESS}", re.IGNORECASE
)
_LINE_START = re.compile(r"^(#{1,6}(?=\s|$)|[-+=](?=[\s=-]|$)|\d{1,9}(?=[.)](?:\s|$)))")


def plain(text: str) -> str:
    """Return the text on one line, with every mark that Markdown would act on escaped.

    Addresses in it become no links.
    """
    escaped = _INLINE.sub(lambda mark: "\\" + mark.group(), " ".join(printable(text).split()))
    return _LINE_START.sub(_disarmed, escaped)


def _disarmed(start: re.Match[str]) -> str:
    mark = start.group()
    return f"{mark}\\" if mark.isdigit() else f"\\{mark}"
