"""What runs in the process of the app. Nothing in here knows the host."""
