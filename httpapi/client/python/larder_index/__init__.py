"""Reads a weekly grocery price index, and the prices behind it, from a Larder server."""
from .client import Client, LarderError
from .tables import Refused, Rows, compound, wide

__all__ = ["Client", "LarderError", "Refused", "Rows", "compound", "wide"]
