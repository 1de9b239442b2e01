"""Words and numbers as people read them, in English and Russian."""
