"""What one approved order and one approved report cost, in counts that no machine changes."""
