"""The `dlx` command, one file per subcommand."""
