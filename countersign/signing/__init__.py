"""Keys that sign elsewhere than in this process."""
