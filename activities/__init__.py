"""Verbs: the effects that orchestrations ask for; each can run twice at any point."""
