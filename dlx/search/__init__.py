"""Searches: lazy, limited, resumable; their statistics, progress, asyncio, batches of givens."""
