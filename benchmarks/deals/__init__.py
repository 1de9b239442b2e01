"""The sets of deals that the studies use, and where they come from."""
