"""A local web page to enter, play, check and print Sudokus: `sudoku serve`.

`page.html`, `page.css` and `page.js` are what the browser gets; `answers` turns a question of the
page into an answer, and knows nothing of the web; `worker` has that done by a process of its own,
which is killed when it takes too long; `server` speaks HTTP.
"""
