"""Best responses by CP-SAT: two formulations, their search, and the cards of an answer."""
