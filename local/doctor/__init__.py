"""`dev.py doctor`: what is here, what is missing, and the command that mends it."""
