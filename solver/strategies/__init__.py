"""What players do and what it is worth: mixes, payoffs, objectives."""
