"""Dealt deals, as a batch reads them."""

from solver.game.deal import Deal
from solver.results.shared_fields import deal_fields
from solver.system.json_document import Document


def deal_document(number: int, deal: Deal, seed: int) -> Document:
    """Return one dealt line, in the form that a batch reads."""
    return {"schema": "quintet.deal/1", "id": number, **deal_fields(deal), "seed": seed}
