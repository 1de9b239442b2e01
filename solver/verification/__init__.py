"""Saved results, computed again by code that does not know how they were found."""
