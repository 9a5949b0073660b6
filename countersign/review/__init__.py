"""What a reviewer is shown."""
