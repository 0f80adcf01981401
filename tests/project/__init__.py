"""Tests of the project itself: set-up, locks, contracts, clauses."""
