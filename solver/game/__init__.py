"""The rules of Quintet: cards, deals, packets and their strengths, arrangements and the referee."""
