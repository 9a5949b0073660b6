"""Orders of goods: what one is, who has to approve it, and the bodies of requests and decisions."""
