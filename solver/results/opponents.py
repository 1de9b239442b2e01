"""The opponent, as documents have it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from solver.system.json_document import Document

if TYPE_CHECKING:
    # Who only hands questions to others, as the parent of a batch, shall not wait for the models to load.
    from solver.opponents.specification import Opponent


def opponent_fields(specs: Sequence[str], opponent: "Opponent | None") -> Document:
    """Return the opponent as given, and its strategies where they can be listed."""
    fields: Document = {"spec": list(specs), "sampled": None if opponent is None else opponent.sampled}
    if opponent is not None and opponent.sampled:
        fields["samples"] = opponent.samples
    if opponent is not None and opponent.strategies is not None:
        fields["strategies"] = [
            {"arrangement": record["arrangement"], "weight": record["weight"]}
            for record in opponent.strategies.records()
        ]
    return fields
