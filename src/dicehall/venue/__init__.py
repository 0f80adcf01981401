"""Tables that stand in a game world: where they are, the windows of their players, and the bridge to the world."""
