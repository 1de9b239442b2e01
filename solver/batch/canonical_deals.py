"""The whole game: every deal once, up to the names of the suits.

A canonical deal is what `Deal.canonical` returns: from spades to clubs its suits lack ever larger sets of ranks. There
are 156,248, and each stands for as many of the 3,365,856 deals as its multiplicity says.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from solver.batch.deal_sources import Item
from solver.game.arrays import IntArray
from solver.game.cards import LOWEST_RANK, SUITS, card_id
from solver.game.deal import REMOVED_SIZE, Deal

CANONICAL_DEALS = 156_248
RANK_VECTORS = 3_144
"""Different vectors of eight rank counts among all deals."""
_RANKS = 8
_WHOLE_SUIT = (1 << _RANKS) - 1

ByteArray = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class AllDeals:
    """Every canonical deal, those with the same cards of each rank one after the other.

    What the ranks alone decide is worked out once for all of a vector of rank counts. The vectors come in a random
    order, so that the first deals are a cluster sample of all.

    Parameters
    ----------
    seed
        Of the order of the rank-count vectors.
    """

    seed: int

    def __iter__(self) -> Iterator[Item]:
        """Yield the deals."""
        lacking = canonical_suits()
        vectors = _rank_vectors(lacking)
        first_to_last = np.random.default_rng(self.seed).permutation(RANK_VECTORS)
        yield from _items(lacking[np.argsort(first_to_last[vectors], kind="stable")])

    def count(self) -> int:
        """Return the number of deals."""
        return CANONICAL_DEALS


@dataclass(frozen=True, slots=True)
class SampledDeals:
    """Canonical deals drawn with equal chances, without replacement.

    Parameters
    ----------
    number
        How many, at most `CANONICAL_DEALS`.
    seed
        Of the draw; fewer deals of a seed are the first ones of more.
    """

    number: int
    seed: int

    def __iter__(self) -> Iterator[Item]:
        """Yield the deals in the order drawn."""
        drawn = np.random.default_rng(self.seed).permutation(CANONICAL_DEALS)[: self.number]
        yield from _items(canonical_suits()[drawn])

    def count(self) -> int:
        """Return the number of deals."""
        return self.number


def canonical_suits() -> ByteArray:
    """Return what the suits of each canonical deal lack, from spades to clubs.

    Returns
    -------
    ndarray
        Shape (156248, 4), uint8: sets of ranks as binary numbers, the seven being 1; ascending in each row, rows in
        lexicographic order.
    """
    return np.array(list(_rising_sets(0, REMOVED_SIZE, SUITS)), dtype=np.uint8)


def _rising_sets(least: int, size: int, count: int) -> Iterator[tuple[int, ...]]:
    """Yield all rising sequences of `count` sets of ranks, each at least `least`, with `size` ranks in all."""
    if count == 0:
        if size == 0:
            yield ()
        return
    for ranks in range(least, _WHOLE_SUIT + 1):
        if ranks.bit_count() <= size:
            for rest in _rising_sets(ranks, size - ranks.bit_count(), count - 1):
                yield (ranks, *rest)


def _rank_vectors(lacking: ByteArray) -> IntArray:
    """Return a number from 0 for the rank-count vector of each deal."""
    counts = np.unpackbits(lacking[:, :, None], axis=2).sum(axis=1, dtype=np.int64)
    keys = counts @ (SUITS + 1) ** np.arange(_RANKS)
    numbers: IntArray = np.searchsorted(np.unique(keys), keys)
    return numbers


def _items(lacking: ByteArray) -> Iterator[Item]:
    for number, suits in enumerate(lacking, 1):
        deal = Deal(
            tuple(
                card_id(LOWEST_RANK + rank, SUITS - 1 - place)
                for place, ranks in enumerate(suits.tolist())
                for rank in range(_RANKS)
                if not ranks >> rank & 1
            )
        )
        yield Item(number, number, deal, multiplicity=deal.multiplicity)
