"""Equilibria and quantal responses of a deal, and the certificate of how good they are."""
