"""What can be looked at: Algorithm X at work as a page, solutions and problems as pictures.

`recording` writes down every link that a search unlinks and relinks, `trace_page` makes a page of
that (`page.html`, `page.css` and `page.js` are its pieces), `boards` draws solutions that are
tilings or chess positions, `tables` draws small problems as the matrix they are.
"""
