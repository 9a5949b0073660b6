"""The page at `/`, which shows functions and instances."""
