"""The search engines: their protocols, their registry, and the Python and SAT engines."""
