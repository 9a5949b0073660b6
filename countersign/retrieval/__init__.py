"""Where research looks: places behind one port, and copies of what they show."""
