"""Plays the app many times in a world of chance, and looks whether its promises hold there."""
