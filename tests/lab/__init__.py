"""The laboratory: the coach, the simulator, and the comparison of house rules."""
