"""Independent checkers of proofs and counts: plain Python that imports nothing of the rest of dlx.

Each module can be copied out and run by itself.
"""
