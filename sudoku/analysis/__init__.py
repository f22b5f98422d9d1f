"""Analyzing puzzles: verdicts, lint, canonical forms, solver comparison, test oracles."""
