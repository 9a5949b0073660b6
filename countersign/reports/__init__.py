"""What a report is: its text, its evidence, and the bodies of requests and decisions about it."""
