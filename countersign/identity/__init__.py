"""Who is calling: bearer tokens checked against the keys of the one issuer that is trusted."""
