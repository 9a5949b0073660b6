"""Read-only libraries of documents that the team may quote from."""
