"""Orchestrations and entities as values: histories, and what they lead to."""
