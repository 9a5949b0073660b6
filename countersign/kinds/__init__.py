"""The kinds of operations: one file for each, and the registry in which all others find them."""
