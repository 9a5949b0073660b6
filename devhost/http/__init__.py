"""The host's HTTP side: the server, the app's own routes, and the clock's."""
