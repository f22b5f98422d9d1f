"""The version of the distribution `dlxkit`, which pyproject.toml reads from here."""

__all__ = ["__version__"]

__version__ = "0.1.0"
