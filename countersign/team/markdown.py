"""Write untrusted text so that Markdown shows it and takes none of it for markup."""

from __future__ import annotations

import re

from countersign.sources.reading import printable

_INLINE = re.compile(r"[\\`*\[\]<>|~]|(?<![^\W_])_|_(?![^\W_])|&(?=#?\w+;)|!(?=\[)")
_LINE_START = re.compile(r"^(#{1,6}(?=\s|$)|[-+=](?=[\s=-]|$)|\d{1,9}(?=[.)](?:\s|$)))")


def plain(text: str) -> str:
    """Return the text on one line, with every mark that Markdown would act on escaped."""
    escaped = _INLINE.sub(lambda mark: "\\" + mark.group(), " ".join(printable(text).split()))
    return _LINE_START.sub(_disarmed, escaped)


def _disarmed(start: re.Match[str]) -> str:
    mark = start.group()
    return f"{mark}\\" if mark.isdigit() else f"\\{mark}"
