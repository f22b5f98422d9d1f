"""One search done by many: its parts, who does them, and how the pieces become one answer.

`part` and `splitting` say what a part of a search is; `slice` what comes back from working on one;
`schedule` which part is next and what may be handed over; `threads` and `executors` are crews that
do the work; `driver` is all of it as an engine for `dlx.Search`. Private, except for what
`dlx/__init__.py` exports.
"""
