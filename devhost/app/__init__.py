"""The app as the host calls it: its worker processes, and what becomes of a call in them."""
