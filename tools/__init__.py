"""Tools for those who work on Dicehall; nothing here is installed."""
