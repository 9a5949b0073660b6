"""A sample of a purchasing system, with faults on demand: for demonstrations and tests alone."""
