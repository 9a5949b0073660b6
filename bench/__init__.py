"""What the parts of this repository can carry; run with `python3 dev.py bench NAME`."""
