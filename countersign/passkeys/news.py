"""What happens to people's passkeys that operators hear of."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Literal, TypeAlias

from countersign.passkeys.ring import Passkey

PasskeyChange: TypeAlias = Literal["added", "confirmed", "removed"]
"""The name of the attribute of a `Passkey` that says who took the step, and when."""

TellPasskey: TypeAlias = Callable[[Passkey, PasskeyChange], Awaitable[None]]
"""Tells of a step that was just recorded; it never raises because nobody could be told."""
