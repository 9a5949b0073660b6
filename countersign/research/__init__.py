"""Research requests: from a topic to a report with its evidence."""
