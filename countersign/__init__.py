"""Countersign: agents prepare, a named person answers for what goes out."""
