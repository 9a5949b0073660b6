"""Systems around the app, as small samples: for demonstrations and tests alone."""
