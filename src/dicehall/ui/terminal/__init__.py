"""Play in plain lines: for terminals, pipes, screen readers and programs."""
