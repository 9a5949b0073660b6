"""The steps of an operation: what each is given, what comes of it, and what ledgers call it."""
