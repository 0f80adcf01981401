"""Bots: what each level plays, and that the better one wins."""
