"""The words every room shares."""
