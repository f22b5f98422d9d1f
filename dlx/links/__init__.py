"""Algorithm X by dancing links, in Python: to be read, and as the reference engine."""
