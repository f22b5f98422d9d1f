"""Searches: lazy, limited and resumable, with statistics, progress, asyncio and batches."""
