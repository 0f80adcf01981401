"""Solvers: figures from the literature, tables that are proven, answers that agree with the rules."""
