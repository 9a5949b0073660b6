"""What runs: orchestrations, their activities and timers, entities, and timer functions."""
