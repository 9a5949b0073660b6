"""Documents that go with a request: how large they may be, and how many."""

from __future__ import annotations

MOST_BYTES = 20_000_000
"""Of a file."""

MOST_CHARACTERS = 1_000_000
"""Of a document's text. A library's documents may be longer."""

MOST_DOCUMENTS = 50
"""That go with one request."""

MOST_LOCATORS = 20_000
"""Of a document: pages, headings, and runs of rows."""
