"""The games on the whole screen of a terminal."""
