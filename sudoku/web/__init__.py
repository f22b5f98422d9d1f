"""A local web page to enter, play, check and print Sudokus: `sudoku serve`.

`page.html`, `page.css` and `page.js` run in the browser; `answers` computes the answer to a request
of the page, without any HTTP; `worker` runs that in worker processes, which are killed when they
take too long; `access` decides which requests are allowed; `server` is the HTTP server.
"""
