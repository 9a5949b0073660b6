"""Orders of goods: what one is, who has to approve it, and how a request becomes one."""
