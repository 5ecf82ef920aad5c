"""``python -m analysis COMMAND FILE …``: everything the analysis can say, from a shell."""

import sys

from analysis.cli import main

if __name__ == "__main__":
    sys.exit(main())
