"""Journals: files that keep how far a long search has come, so that it survives what kills it.

`places` says in which order the pieces of a search belong; `locks` keeps two processes apart;
`files` opens and refuses; `problems` and `question` are what a journal is about; `contents` what is
in the tables and how damage is noticed; `values` checks every value that is read; `writer` keeps
what is done, and `rescue` what it kept if somebody takes the file away; `engine` makes of a journal
and a search one engine for `dlx.Search`; `journal` is the view for those who only look. See
docs/journals.md. Private, except for what
`dlx/__init__.py` exports.
"""
