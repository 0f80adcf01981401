"""The client: games in this process, and the files they are kept in."""
