"""Searches by several workers: splitting, scheduling, worker pools, merged results.

    split      cuts a search into parts of about equal size before it begins
    schedule   which part a worker gets next, and which solutions may be handed over
    results    the limits of a task, the result of working on a part, the recorder protocol
    worker     works on one part at a time, in any thread or process
    pool       base class of worker pools
    threads    a pool of threads
    executors  a pool behind a `concurrent.futures.Executor`; `remote` is its worker side
    driver     the whole as one engine for `dlx.search.search.Search`
    start      makes a driver of the keywords `workers` and `executor`

Private, except for what `dlx/__init__.py` exports.
"""
