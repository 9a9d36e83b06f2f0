"""`python -m attnviz.training [TASK …]`: train the models that ship in the package."""

import sys

from attnviz.training.bundle import main

sys.exit(main())
