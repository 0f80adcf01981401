"""Exact answers: what a position is worth, and what every choice in it is worth."""
