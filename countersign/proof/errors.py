"""What can be wrong with a proof bundle."""

from __future__ import annotations


class ProofFault(Exception):
    """The first thing that is wrong with a bundle, as a sentence without its full stop."""
