"""Computer players: what a seat sees and may do, and one of its choices in return."""
