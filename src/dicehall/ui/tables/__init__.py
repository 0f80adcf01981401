"""Tables that a screen can show: games in this process or at a server, as positions and news."""
