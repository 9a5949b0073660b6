"""The signature of an approval by the approver's passkey; `countersign.passkeys` checks it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class PasskeySignature:
    """A signature by a passkey of the person who approved.

    Attributes:
        after: the sequence of the last row that was recorded when they signed.
        text: the passkey and its signature, for those who can check them.
    """

    after: int
    text: str
