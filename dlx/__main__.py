"""`python -m dlx` is the `dlx` command."""

import sys

from dlx.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
