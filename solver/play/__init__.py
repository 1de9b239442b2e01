"""A session at the terminal."""
