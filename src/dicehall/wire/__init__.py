"""Everything that leaves the process as bytes."""
