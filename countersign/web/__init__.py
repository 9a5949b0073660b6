"""Read pages of the public web, and nothing else of the network."""
