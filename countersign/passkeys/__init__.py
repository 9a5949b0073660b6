"""Passkeys of people: which each has, and what they sign with them."""
