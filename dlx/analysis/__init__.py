"""The questions a `Problem` answers, one module or folder each."""
