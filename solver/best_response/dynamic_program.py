"""Best response by dynamic programming over sets of places, without dominance, for additive objectives.

The reference engine: it knows nothing of undominated partitions or of CP-SAT and shares only the evaluator with them.

Suits matter to flushes alone. A packet that is no flush is a multiset of five ranks, and what packets use up is a
state: a vector of rank counts s, at most the counts c of the deal. Let g(p, m) be the value in place p of the rank
multiset m as no flush, and f(p, m) that of five different ranks m as a flush. Over sets S of places and states s of
5|S| cards, with m <= s in every rank:

    plain(S, s)   = max over m of  plain(S - {p}, s - m) + g(p, m)       p the last place of S; plain({}, 0) = 0
    flush_u(F, s) = max of  flush_{u-1}(F, s)  and, over p in F and the flushes m of suit u,
                            flush_{u-1}(F - {p}, s - m) + f(p, m)        suits u = 1 to 4; flush_0({}, 0) = 0
    best          = max over F, s of  flush_4(F, s) + plain(places - F, c - s)

Why this is exact. Every arrangement is counted: a suit has at most eight cards of a deal, so at most one packet of each
suit is a flush, and the other packets have the strength of their ranks. No value is too high: hand out real cards for
the choices behind `best`, the flushes first. A packet of five different ranks that was counted as no flush may turn out
to be of one suit; a flush is never weaker than the same ranks as no flush, and a place is never worth less to a
stronger packet. So the cards reach `best` at least, and being an arrangement, at most.
"""

from collections.abc import Iterator
from functools import cache
from itertools import combinations
from typing import NamedTuple

import numpy as np

from solver.best_response.engine_answer import EngineAnswer
from solver.best_response.problem import ResponseProblem
from solver.errors import InternalError, PayoffError
from solver.game.arrays import IntArray
from solver.game.cards import LOWEST_RANK, PACKET_SIZE, RANKS, SUITS, card_id, rank_of, suit_of
from solver.game.deal import Deal
from solver.game.evaluator import evaluate_hands
from solver.game.rules import Rules
from solver.strategies.objectives import Objective

_PACK_RANKS = RANKS - LOWEST_RANK
_NIBBLES = 4 * np.arange(_PACK_RANKS, dtype=np.int64)
_GUARDS = int((8 << _NIBBLES).sum())
_NOTHING = -(1 << 60)
"""Value of what cannot be: below every value (2**53 at most), and no sum of two of them leaves int64."""


class _Choice(NamedTuple):
    """One packet of an optimum: so many cards of each rank, as a flush of a suit or (None) of any suits."""

    place: int
    counts: tuple[int, ...]
    suit: int | None


class RankStates:
    """Vectors of rank counts within those of a deal, for every number of packets that can have used them up.

    A state is known by its code, a number in the mixed radix of the deal's rank counts, so that codes add up as states
    do, and by its row among the ascending codes of its size. The states of one packet are the rank multisets.

    Parameters
    ----------
    deal
        5n cards.

    Attributes
    ----------
    counts
        For 0 to n packets, shape (states, 8), int64: cards of each rank, sevens first.
    codes
        For 0 to n packets, shape (states,), int64, ascending.
    rows
        Shape (codes in all,), int64: row of a code among those of its size.
    """

    def __init__(self, deal: Deal) -> None:
        held = np.bincount([rank_of(card) - LOWEST_RANK for card in deal.cards], minlength=_PACK_RANKS)
        counts = np.indices(tuple(held + 1), dtype=np.int64).reshape(_PACK_RANKS, -1).T
        sizes = counts.sum(axis=1)
        self.codes = [np.flatnonzero(sizes == PACKET_SIZE * taken).astype(np.int64) for taken in range(deal.places + 1)]
        self.counts = [counts[codes] for codes in self.codes]
        self.rows = np.zeros(len(counts), dtype=np.int64)
        for codes in self.codes:
            self.rows[codes] = np.arange(len(codes))
        # Counts of four bits each; no count is above 4, so the top bit of each can guard against borrowing.
        self._packed = [(counts << _NIBBLES).sum(axis=1) for counts in self.counts]
        self._room = [self._packed[-1][-1] - packed + _GUARDS for packed in self._packed]

    def additions(self, taken: int, packet: int) -> tuple[IntArray, IntArray]:
        """Return the states of `taken` packets (rows) that leave room for one more, and the states that it leads to."""
        sources = np.flatnonzero((self._room[taken] - self._packed[1][packet]) & _GUARDS == _GUARDS)
        return sources, self.rows[self.codes[taken][sources] + self.codes[1][packet]]

    def removals(self, taken: int, row: int) -> tuple[IntArray, IntArray]:
        """Return the packets inside a state of `taken` packets, and the states (rows) that are left without them."""
        packets = np.flatnonzero((self._packed[taken][row] + _GUARDS - self._packed[1]) & _GUARDS == _GUARDS)
        return packets, self.rows[self.codes[taken][row] - self.codes[1][packets]]


def best_value(problem: ResponseProblem) -> int:
    """Return the value of a best response, in units of 1/`problem.denominator`."""
    return _optimum(problem)[0]


def best_response(problem: ResponseProblem) -> EngineAnswer:
    """Return an optimal arrangement for ``points`` or ``margin``; its cards are re-evaluated and re-scored.

    Raises
    ------
    PayoffError
        If the objective is ``win``, which is no sum over places.
    """
    value, packets = _optimum(problem)
    return EngineAnswer(value, value, packets)


def _optimum(problem: ResponseProblem) -> tuple[int, tuple[tuple[int, ...], ...]]:
    if problem.objective == Objective.WIN:
        raise PayoffError("the objective 'win' is no sum over places: expected points or margin")
    value, choices = _Program(problem).optimum()
    value += problem.earned
    packets = _real_cards(problem.deal, choices)
    scored = int(problem.evaluate([evaluate_hands(np.array(packets), problem.rules)])[0])
    if scored != value:
        raise InternalError(f"the dynamic program found {value}, but its cards are worth {scored}")
    return value, packets


@cache
def place_sets(places: int, size: int) -> tuple[tuple[int, ...], ...]:
    """Return the sets of `size` places in lexicographic order, the columns of the tables."""
    return tuple(combinations(range(places), size))


def column_of(chosen: tuple[int, ...], places: int) -> int:
    """Return the column of a set of places."""
    return place_sets(places, len(chosen)).index(chosen)


def columns_without(chosen: tuple[int, ...], places: int) -> list[int]:
    """Return the columns of the sets that lack the first, second, … place of a set."""
    return [column_of(chosen[:index] + chosen[index + 1 :], places) for index in range(len(chosen))]


def packet_strengths(states: RankStates, rules: Rules) -> tuple[IntArray, IntArray]:
    """Return the strength of each rank multiset as no flush and as a flush, -1 where its ranks repeat."""
    mixed, suited = [], []
    for counts in states.counts[1].tolist():
        ranks = [LOWEST_RANK + index for index, count in enumerate(counts) if count]
        # Cards of one rank take suits in turn, the highest rank from the second suit on: no hand is of one suit.
        mixed.append(
            [
                card_id(rank, (suit + (rank == ranks[-1])) % SUITS)
                for rank in ranks
                for suit in range(counts[rank - LOWEST_RANK])
            ]
        )
        if len(ranks) == PACKET_SIZE:
            suited.append([card_id(rank, 0) for rank in ranks])
    flush = np.full(len(mixed), -1, dtype=np.int64)
    flush_hands = np.array(suited, dtype=np.int64).reshape(-1, PACKET_SIZE)
    flush[states.counts[1].max(axis=1) == 1] = evaluate_hands(flush_hands, rules)
    return evaluate_hands(np.array(mixed), rules), flush


def flushes_by_suit(deal: Deal, states: RankStates) -> list[list[int]]:
    """Return for each suit the packets, as rows of the states of one packet, that can be flushes in it."""
    held = np.zeros((SUITS, _PACK_RANKS), dtype=np.int64)
    for card in deal.cards:
        held[suit_of(card), rank_of(card) - LOWEST_RANK] = 1
    return [np.flatnonzero((states.counts[1] <= ranks).all(axis=1)).tolist() for ranks in held]


class _Program:
    """The tables of one problem; each is of shape (states, sets of places) for its number of packets, int64."""

    def __init__(self, problem: ResponseProblem) -> None:
        self.places = problem.places
        self.states = RankStates(problem.deal)
        self.flushes = flushes_by_suit(problem.deal, self.states)
        plain, flush = packet_strengths(self.states, problem.rules)
        places = range(self.places)
        self.plain_gains = np.stack([problem.place_values(place, plain) for place in places], axis=1)
        self.flush_gains = np.stack([problem.place_values(place, flush) for place in places], axis=1)

    def optimum(self) -> tuple[int, list[_Choice]]:
        """Return the best value without what locked packets earn, and packets that reach it.

        Taking complements reverses the order of the codes of a size, and of the sets of a size: what the entry [i, j]
        of a flush table leaves is the entry [-1 - i, -1 - j] of the plain table.
        """
        plain, stages = self._plain_tables(), self._flush_stages()
        totals = [table + plain[-1 - count][::-1, ::-1] for count, table in enumerate(stages[-1])]
        count = max(range(len(totals)), key=lambda count: int(totals[count].max()))
        row, column = (int(index) for index in np.unravel_index(totals[count].argmax(), totals[count].shape))
        choices = [
            *self._flush_choices(stages, count, row, column),
            *self._plain_choices(plain, self.places - count, -1 - row, -1 - column),
        ]
        return int(totals[count][row, column]), choices

    def _plain_tables(self) -> list[IntArray]:
        """Return `plain` for 0 to n packets."""
        tables = [np.zeros((1, 1), dtype=np.int64)]
        for taken in range(self.places):
            sets = place_sets(self.places, taken + 1)
            last = [chosen[-1] for chosen in sets]
            before = tables[taken][:, [column_of(chosen[:-1], self.places) for chosen in sets]]
            table = np.full((len(self.states.codes[taken + 1]), len(sets)), _NOTHING, dtype=np.int64)
            for packet, gains in enumerate(self.plain_gains[:, last]):
                sources, targets = self.states.additions(taken, packet)
                table[targets] = np.maximum(table[targets], before[sources] + gains)
            tables.append(table)
        return tables

    def _flush_stages(self) -> list[list[IntArray]]:
        """Return `flush` with the first 0 to 4 suits, each for 0 to n packets."""
        start = [
            np.full((len(codes), len(place_sets(self.places, taken))), _NOTHING, dtype=np.int64)
            for taken, codes in enumerate(self.states.codes)
        ]
        start[0][:] = 0
        stages = [start]
        for flushes in self.flushes:
            before, after = stages[-1], [table.copy() for table in stages[-1]]
            for taken in range(self.places):
                sets = place_sets(self.places, taken + 1)
                without = np.array([columns_without(chosen, self.places) for chosen in sets])
                reached = before[taken][:, 0] > _NOTHING // 2
                table = after[taken + 1]
                for packet in flushes:
                    sources, targets = self.states.additions(taken, packet)
                    sources, targets = sources[reached[sources]], targets[reached[sources]]
                    each_last = before[taken][sources][:, without] + self.flush_gains[packet, np.array(sets)]
                    table[targets] = np.maximum(table[targets], each_last.max(axis=2))
            stages.append(after)
        return stages

    def _flush_choices(self, stages: list[list[IntArray]], taken: int, row: int, column: int) -> Iterator[_Choice]:
        """Yield flushes that make up an entry of the last stage."""
        for suit in reversed(range(SUITS)):
            value, before = stages[suit + 1][taken][row, column], stages[suit]
            if before[taken][row, column] == value:
                continue
            packets, rows = self.states.removals(taken, row)
            allowed = np.isin(packets, self.flushes[suit])
            packets, rows = packets[allowed], rows[allowed]
            chosen = place_sets(self.places, taken)[column]
            columns = columns_without(chosen, self.places)
            hits = before[taken - 1][rows][:, columns] + self.flush_gains[packets][:, chosen] == value
            first, index = np.unravel_index(hits.argmax(), hits.shape)
            yield self._choice(chosen[index], int(packets[first]), suit)
            taken, row, column = taken - 1, int(rows[first]), columns[index]

    def _plain_choices(self, tables: list[IntArray], taken: int, row: int, column: int) -> Iterator[_Choice]:
        """Yield packets that make up an entry of the plain tables."""
        while taken:
            chosen = place_sets(self.places, taken)[column]
            packets, rows = self.states.removals(taken, row)
            earlier = column_of(chosen[:-1], self.places)
            hits = (
                tables[taken - 1][rows, earlier] + self.plain_gains[packets, chosen[-1]] == tables[taken][row, column]
            )
            first = int(hits.argmax())
            yield self._choice(chosen[-1], int(packets[first]), None)
            taken, row, column = taken - 1, int(rows[first]), earlier

    def _choice(self, place: int, packet: int, suit: int | None) -> _Choice:
        return _Choice(place, tuple(self.states.counts[1][packet].tolist()), suit)


def _real_cards(deal: Deal, choices: list[_Choice]) -> tuple[tuple[int, ...], ...]:
    """Hand out cards of the deal, to the flushes first, and return the packets in place order."""
    left = list(deal.cards)
    packets: dict[int, tuple[int, ...]] = {}
    for choice in sorted(choices, key=lambda choice: choice.suit is None):
        packet: list[int] = []
        for rank, count in enumerate(choice.counts, LOWEST_RANK):
            packet += [c for c in left if rank_of(c) == rank and choice.suit in (None, suit_of(c))][:count]
        left = [card for card in left if card not in packet]
        packets[choice.place] = tuple(sorted(packet, reverse=True))
    return tuple(packets[place] for place in range(deal.places))
