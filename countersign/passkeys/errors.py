"""What can be wrong with a passkey or with its signature."""

from __future__ import annotations


class PasskeyFault(Exception):
    """It does not count; the message is a sentence for people."""
