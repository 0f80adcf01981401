"""A second reading of the rules, kept apart from the program so that the two can be compared."""
