"""The referee on virtual time, with players, relays and a mint that misbehave, and a judge of what it did."""
