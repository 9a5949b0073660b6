"""What a report says of itself, in its last line."""

from __future__ import annotations

import re
from typing import Final

from countersign.team.chat import EXTRACTIVE, ModelChoice, model_name

EDITED: Final = (
    "*Edited by a reviewer after it was written. Nobody compared the edited text with the sources.*"
)

_FIRST_WORDS = (
    "Written by the model",
    "Written by the embedded extractive model",
    "Edited by a reviewer",
)
_COLOPHON = re.compile(rf"\s*^\*(?:{'|'.join(_FIRST_WORDS)})\b[^\n]*\*[ \t]*$", re.MULTILINE)


def colophon(choice: ModelChoice) -> str:
    """Return the sentence with which a report that the team wrote says how it was made."""
    if choice.provider == EXTRACTIVE:
        return (
            "Written by the embedded extractive model: sentences selected and quoted from the "
            "sources, nothing generated."
        )
    return (
        f"Written by the model {model_name(choice)}. A program found each quote in the source that "
        "is named beside it; the sentences between the quotes are the model's own."
    )


def edited(text: str) -> str:
    """Return a reviewer's own text, which no longer says how the text before it was made."""
    return f"{_COLOPHON.sub('', text).rstrip()}\n\n{EDITED}\n"
