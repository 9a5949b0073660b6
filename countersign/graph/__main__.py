"""`python -m countersign.graph`."""

import sys

from countersign.graph.cli import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
