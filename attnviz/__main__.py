"""`python -m attnviz`: the command, where its folder is not on the path."""

import sys

from attnviz.cli import main

sys.exit(main())
