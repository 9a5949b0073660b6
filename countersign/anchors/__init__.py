"""Where anchors are written. What is there is protected by whoever provides the place."""
