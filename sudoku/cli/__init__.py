"""The `sudoku` command, one file per subcommand."""
