"""One live game: the only writer of its journal, with its seats, presence, deadlines and updates."""
