"""What of a report its sources carry, measured with questions whose answers are known."""
