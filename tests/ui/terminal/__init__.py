"""Play in plain lines, through the real command."""
