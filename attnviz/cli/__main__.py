"""`python -m attnviz.cli`: the command where it is not on the path."""

import sys

from attnviz.cli import main

sys.exit(main())
