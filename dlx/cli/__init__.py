"""The `dlx` command, a file a subcommand."""
