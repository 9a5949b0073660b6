"""The embedded chat model: it selects sentences from the sources and quotes them.

It needs no key, no network and no weights, answers the same question the same way every time, and
generates nothing: what the sources don't say, it can't say.
"""
