"""The consequential write: at most once at its destination, with proof that it happened."""
