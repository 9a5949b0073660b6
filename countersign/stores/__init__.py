"""Where things are kept: ports and their adapters."""
