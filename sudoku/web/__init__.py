"""A local web page to enter, play, check, set and print Sudokus: `sudoku serve`.

`page.html`, `page.css`, `page.js` and its modules run in the browser; `sw.js`, a service worker,
opens them without the server. `answers` computes the answer to a request of the page, without any
HTTP, and `setter` the rules that are drawn on it; `worker` runs that in worker processes, which are
killed when they take too long; `access` decides which requests are allowed; `server` is the HTTP
server.
"""
