"""The `sudoku` command, a file a subcommand."""
