"""Proofs that others can check: no solution, all solutions, the minimum, and counts.

`formula` writes the clauses or inequalities that a proof is about, `files` the proof itself as it
grows. The checkers, which import nothing of this, are in `dlx.check`.
"""
