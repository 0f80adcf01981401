"""How a program reaches a game, or a whole hall: in process or over the network, by one interface."""
