"""What can be said about puzzles: check, judge, lint, canonical forms, comparison, the oracle."""
