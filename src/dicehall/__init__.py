"""Dicehall: an open hall for dice games."""

__version__ = "0.1.0"
