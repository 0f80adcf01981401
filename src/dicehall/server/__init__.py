"""HTTP and WebSocket in front of a hall."""
