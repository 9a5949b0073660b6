"""Deterministic stories: generators that say what happens next and do nothing themselves."""
