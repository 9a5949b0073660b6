"""Triggers: parse, call, answer."""
