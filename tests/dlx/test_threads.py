"""What happens when threads meet: at the end of the interpreter, and over one search."""

from __future__ import annotations

import subprocess
import sys

EXITING = """
import threading
import dlx

class Slow:
    def __del__(self, spin=range(3_000_000)):  # the threads come back meanwhile
        for _ in spin:
            pass

pigeons = range(31)
problem = dlx.Problem.from_options(
    [[("pigeon", i), ("hole", j)] for i in pigeons for j in range(30)],
    secondary=[("hole", j) for j in range(30)],
)
searches = [problem.solutions(engine=engine) for engine in ("links", "bits") * 3]
for search in searches:
    threading.Thread(target=next, args=(search,), daemon=True).start()
threading.Thread(target=problem.count, daemon=True).start()
answers = problem.solve_many([[]] * 9, workers=2)
threading.Thread(target=list, args=(answers,), daemon=True).start()
while any(search.stats.nodes < 2 for search in searches):
    pass
slow = Slow()
"""


def test_the_interpreter_ends_while_daemons_search() -> None:
    """Threads that come back to an interpreter that is going do not take the process down."""
    done = subprocess.run([sys.executable, "-P", "-c", EXITING], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
