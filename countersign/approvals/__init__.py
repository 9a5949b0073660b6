"""Who approved what, when: pure rules over an append-only ledger."""
