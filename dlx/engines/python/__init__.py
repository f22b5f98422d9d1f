"""The engine "python": the reference that all compiled engines are compared with."""
