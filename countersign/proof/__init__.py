"""Proof bundles: what became of an operation, in one file that needs no trust in the service."""
