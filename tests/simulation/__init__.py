"""A whole hall in one process on virtual time, everything drawn from one seed: faults on top, a checker behind."""
