"""Many deals: where they come from, who works on them, and the file that survives it."""
