"""Every deal once, up to the names of the suits, as `quintet batch` reads them.

``python -m benchmarks.deals.canonical > canonical.txt`` writes all 156,248; with ``--sample N`` it writes N of them,
drawn with equal chances and without repeats.
"""

import argparse
from collections.abc import Iterator

import numpy as np

from solver.game.cards import FULL_PACK, SUITS, card_id
from solver.game.deal import REMOVED_SIZE, Deal

RANKS = 8
LOWEST = len(FULL_PACK) // SUITS - RANKS
WHOLE_SUIT = (1 << RANKS) - 1


def canonical_deals() -> Iterator[Deal]:
    """Yield the canonical deals: from spades to clubs the suits lack ever larger sets of ranks, as binary numbers."""
    for lacking in _rising_sets(0, REMOVED_SIZE, SUITS):
        yield Deal(
            tuple(
                card_id(LOWEST + rank, SUITS - 1 - place)
                for place, ranks in enumerate(lacking)
                for rank in range(RANKS)
                if not ranks >> rank & 1
            )
        )


def _rising_sets(least: int, size: int, count: int) -> Iterator[tuple[int, ...]]:
    """Yield all rising sequences of `count` sets of ranks, each at least `least`, with `size` ranks in all."""
    if count == 0:
        if size == 0:
            yield ()
        return
    for ranks in range(least, WHOLE_SUIT + 1):
        if ranks.bit_count() <= size:
            for rest in _rising_sets(ranks, size - ranks.bit_count(), count - 1):
                yield (ranks, *rest)


def main() -> None:
    """Write the deals, one a line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sample", type=int, metavar="N", help="N deals instead of all")
    parser.add_argument("--seed", type=int, default=0, help="of the sample")
    options = parser.parse_args()
    deals = list(canonical_deals())
    if options.sample is not None:
        chosen = np.random.default_rng(options.seed).choice(len(deals), options.sample, replace=False)
        deals = [deals[index] for index in chosen]
    for deal in deals:
        print(deal.text())


if __name__ == "__main__":
    main()
