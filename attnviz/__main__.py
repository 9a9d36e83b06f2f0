"""`python -m attnviz`: the command, where its folder is not on the path."""

import sys

from attnviz.cli import main

if __name__ == "__main__":
    sys.exit(main())
