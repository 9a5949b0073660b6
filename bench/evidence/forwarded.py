"""A model behind another chat completions API, asked one request at a time."""

from __future__ import annotations

from threading import Lock
from typing import Any

import httpx

from bench.evidence.chat_server import Answer

SECONDS = 1_800.0


class Forwarded:
    """Passes requests on.

    Args:
        url: The API's address, which ends in `/v1`.
        key: What it asks for.
    """

    def __init__(self, url: str, key: str) -> None:
        self._one = Lock()
        self._api = httpx.Client(
            base_url=url,
            headers={"Authorization": f"Bearer {key}"},
            timeout=SECONDS,
            trust_env=False,
        )

    def __call__(self, request: dict[str, Any]) -> Answer:
        """Ask the model, and wait for its whole answer."""
        whole = {**request, "stream": False}
        whole.pop("stream_options", None)
        with self._one:
            answered = self._api.post("/chat/completions", json=whole).raise_for_status().json()
        [choice] = answered["choices"]
        usage = answered["usage"]
        return Answer(
            text=choice["message"]["content"] or "",
            asked_tokens=usage["prompt_tokens"],
            tokens=usage["completion_tokens"],
            finish=choice["finish_reason"],
        )
