"""Why a caller is not let in.

Apart from the code that raises them, so that whoever answers for them loads no cryptography.
"""

from __future__ import annotations


class Unauthenticated(Exception):
    """The caller did not prove who they are; the message is fit for them to read."""


class KeysUnavailable(Exception):
    """The issuer's keys can't be had, so no token can be checked now."""
