"""Make the `.venv`, with whatever Python there is.

Modules here keep to the standard library and the syntax of Python 3.8: they run before the `.venv`.
"""
