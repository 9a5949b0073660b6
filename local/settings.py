"""Settings of the app on a developer's machine."""

from __future__ import annotations

import json
import os
from pathlib import Path

APP = Path(__file__).resolve().parent.parent
DATA = APP / ".data"
SAMPLE_LIBRARY = APP / "countersign" / "sources" / "sample_library"


def standard(*, port: int, data: Path) -> dict[str, str]:
    """Return the settings of an app in the local host that trusts its sign-in.

    Args:
        port: The port that the host listens on.
        data: The folder that keeps everything the app has to remember.
    """
    return {
        "AZURE_FUNCTIONS_DURABLE_STRICT_TYPING": "1",
        "COUNTERSIGN_DATA": str(data),
        "COUNTERSIGN_LIBRARY": str(SAMPLE_LIBRARY),
        "COUNTERSIGN_TOKEN_AUDIENCE": "urn:devhost:app",
        "COUNTERSIGN_TOKEN_ISSUER": "urn:devhost",
        "COUNTERSIGN_TOKEN_JWKS": f"http://127.0.0.1:{port}/.auth/dev/jwks",
        "TASKHUB_NAME": "default",
    }


def own() -> dict[str, str]:
    """Return what the developer has set: in the environment or, after that, `local.settings.json`.

    Raises:
        ValueError: The file is not as Core Tools wants it.
    """
    file = APP / "local.settings.json"
    try:
        values = json.loads(file.read_text("utf-8"))["Values"].items() if file.exists() else ()
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ValueError(f'{file} must be JSON with an object "Values" ({error!r})') from error
    return {**{name: str(value) for name, value in values}, **os.environ}
