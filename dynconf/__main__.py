"""``python -m dynconf``: the command line."""

from dynconf.cli import main

main()
