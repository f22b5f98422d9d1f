"""Rules for lines that setters draw: a file for each kind of meaning."""
