"""The best arrangement against a mix: the question, its engines, and the choice among them."""
