"""What several tests need to set up: a host and the people at it, a listener, files."""
