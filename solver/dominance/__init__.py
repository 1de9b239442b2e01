"""The undominated partitions of a deal, and the arrangements that are left to play."""
