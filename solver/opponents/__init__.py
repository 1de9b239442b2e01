"""The models of an opponent, and how they are written."""
