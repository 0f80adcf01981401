"""Where faces come from, and how anybody checks them afterwards."""
