"""How a program reaches a game: in process, or later over a network, by one interface."""
