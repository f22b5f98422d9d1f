"""Journals: checkpoints of long searches in SQLite files."""
