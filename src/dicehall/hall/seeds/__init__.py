"""The interfaces that the five design documents ask for, as thin services on the one hall."""
