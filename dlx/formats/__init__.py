"""Reading and writing problems: one file for each format."""
