"""What the hall knows of its games: the coach, the odds of a position, the simulator, house rules compared."""
