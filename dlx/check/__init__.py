"""Independent checkers of proofs and counts: plain Python that imports nothing of the rest of dlx.

A copy of this folder can be run by itself: `python check FORMULA PROOF`. Each module has a function
`check`, for the lines of a formula and of a proof. What it returns is, as text, what the proof
shows; it raises its `Refused` for a wrong or incomplete proof, `ValueError` for a wrong
formula.
"""
