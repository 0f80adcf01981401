"""The only room that knows everybody: settings, wiring, the command line."""
