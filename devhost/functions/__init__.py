"""The functions of the app by what they declare, and what is wrong with that."""
