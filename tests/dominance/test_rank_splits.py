from itertools import combinations_with_replacement

import numpy as np
import pytest

from solver.dominance import rank_splits as rank_splits_module
from solver.dominance.rank_multisets import RankPackets, digits_of, fits
from solver.dominance.rank_splits import RankSplits, forget_rank_splits, locally_undominated_pairs, splits_of
from solver.game.cards import LOWEST_RANK, card_id
from solver.game.rules import Rules
from tests.support.samples import RULE_SETS
from tests.support.scalar_ranking import ranking_key

TEN, FIFTEEN, STRAIGHTS, TWENTY, DEAL, PACK = (
    np.array(counts)
    for counts in (
        [2, 2, 1, 1, 1, 1, 1, 1],
        [3, 2, 0, 4, 1, 2, 2, 1],
        [2, 2, 2, 2, 2, 2, 2, 1],
        [4, 4, 4, 0, 4, 0, 4, 0],
        [4, 3, 4, 0, 3, 4, 4, 3],
        [4, 4, 4, 4, 4, 4, 4, 4],
    )
)


def dominates(better, row):
    return better != row and all(a >= b for a, b in zip(better, row, strict=True))


def maximal(rows):
    return {row for row in rows if not any(dominates(other, row) for other in rows)}


def all_pairs(packets):
    """Return the strengths of every pair of packets that fit together, by state."""
    found = {}
    for pair in combinations_with_replacement(range(len(packets)), 2):
        if (packets.multisets[list(pair)].sum(axis=0) <= packets.counts).all():
            state = int(packets.states[list(pair)].sum())
            found.setdefault(state, {})[pair] = tuple(packets.strengths[list(pair)].tolist())
    return found


def all_splits(packets, rest, size, least=0):
    """Return the ascending strengths of every split of rank counts into packets, not weaker than id `least`."""
    if size == 0:
        return {()}
    fit = (packets.multisets == rest if size == 1 else packets.multisets <= rest).all(axis=1)
    return {
        (int(packets.strengths[packet]), *others)
        for packet in np.flatnonzero(fit).tolist()
        if packet >= least
        for others in all_splits(packets, rest - packets.multisets[packet], size - 1, packet)
    }


@pytest.mark.parametrize("rules", RULE_SETS[:5], ids=str)
def test_packets_are_all_multisets_in_ascending_strength(rules):
    packets = RankPackets(DEAL, rules)
    expected = {
        tuple(np.bincount(ranks, minlength=8).tolist())
        for ranks in combinations_with_replacement(range(8), 5)
        if (np.bincount(ranks, minlength=8) <= DEAL).all()
    }
    assert set(map(tuple, packets.multisets.tolist())) == expected
    assert len(packets) == len(expected)
    assert (np.diff(packets.strengths) >= 0).all()
    assert np.unique(packets.classes).tolist() == list(range(packets.classes[-1] + 1))
    assert ((np.diff(packets.classes) > 0) == (np.diff(packets.strengths) > 0)).all()
    assert len(np.unique(packets.states)) == len(packets)


@pytest.mark.parametrize("rules", RULE_SETS[:5], ids=str)
def test_packets_rank_as_hands_of_two_suits(rules):
    packets = RankPackets(PACK, rules)
    keys = []
    for multiset in packets.multisets.tolist():
        ranks = [rank for rank, count in enumerate(multiset, LOWEST_RANK) for _ in range(count)]
        hand = [card_id(rank, index % 2) for index, rank in enumerate(ranks)]
        keys.append(ranking_key(hand, rules.name, rules.ace_low))
    classes = sorted(set(keys))
    assert packets.classes.tolist() == [classes.index(key) for key in keys]


def test_fits_compares_every_rank():
    generator = np.random.default_rng(0)
    needed, room = generator.integers(0, 9, (2000, 8)), generator.integers(4, 8, (2000, 8))
    expected = (needed <= room).all(axis=1)
    assert (fits(digits_of(needed), digits_of(room)) == expected).all()
    assert 0 < expected.sum() < len(expected)


@pytest.mark.parametrize("rules", RULE_SETS[:5], ids=str)
@pytest.mark.parametrize("counts", [TEN, FIFTEEN], ids=str)
def test_pair_table_has_every_pair_that_nothing_improves(counts, rules):
    packets = RankPackets(counts, rules)
    pairs, compatible = locally_undominated_pairs(packets)
    expected = np.zeros_like(compatible)
    listed = {}
    for state, strengths in all_pairs(packets).items():
        best = maximal(set(strengths.values()))
        listed[state] = sorted(best, reverse=True)
        for pair, strength in strengths.items():
            expected[pair] = expected[pair[::-1]] = strength in best
    assert (compatible == expected).all()
    found = {}
    for state, pair in zip(
        packets.states[pairs].sum(axis=0).tolist(), packets.strengths[pairs].T.tolist(), strict=True
    ):
        found.setdefault(state, []).append(tuple(pair))
    assert found == listed


def test_all_tied_pairs_are_in_the_table():
    packets = RankPackets(FIFTEEN, Rules("quintet-text"))
    pairs, compatible = locally_undominated_pairs(packets)
    listed = {(int(packets.states[pair].sum()), *packets.strengths[pair].tolist()) for pair in pairs.T}
    tied = 0
    for state, strengths in all_pairs(packets).items():
        for pair, strength in strengths.items():
            assert compatible[pair] == ((state, *strength) in listed)
        undominated = [strength for strength in strengths.values() if (state, *strength) in listed]
        tied += len(undominated) - len(set(undominated))
    assert tied > 100


@pytest.mark.parametrize("rules", RULE_SETS[:5], ids=str)
@pytest.mark.parametrize("counts", [FIFTEEN, STRAIGHTS, TWENTY], ids=str)
def test_no_undominated_split_is_missing(counts, rules):
    packets = RankPackets(counts, rules)
    splits = RankSplits.of(packets)
    places = counts.sum() // 5
    for size, table in enumerate(splits.tables):
        assert table.packets.shape == (size, len(table.states))
        assert (table.packets >= 0).all()
    table = splits.tables[places]
    assert set(table.states.tolist()) == {packets.full_state}
    found = set(map(tuple, packets.strengths[table.packets].T.tolist()))
    every = all_splits(packets, counts, places)
    assert maximal(every) <= found <= every


def test_splits_share_out_their_states():
    splits = splits_of(DEAL, Rules())
    for table in splits.tables[1:]:
        cards = splits.packets.multisets[table.packets].sum(axis=0)
        assert (cards <= DEAL).all()
        assert (cards @ splits.packets.bases == table.states).all()


def test_four_packets_are_split_beside_every_flush():
    splits = splits_of(DEAL, Rules())
    five_ranks = splits.packets.states[splits.packets.multisets.max(axis=1) == 1]
    assert set(splits.tables[4].states.tolist()) == set((splits.packets.full_state - five_ranks).tolist())


def test_states_are_looked_up_with_all_their_splits():
    table = splits_of(DEAL, Rules()).tables[3]
    several = np.flatnonzero(np.diff(table.states) == 0)[0]
    wanted = table.states[[-1, 0, several, -1]].astype(np.int64)
    wanted[-1] += 1
    owners, packets = table.of_states(wanted)
    for index, state in enumerate(wanted):
        assert packets[:, owners == index].tolist() == table.packets[:, table.states == state].tolist()


def test_rule_sets_do_not_share_splits():
    forget_rank_splits()
    kept = [splits_of(TEN, rules) for rules in RULE_SETS[:5]]
    assert len(set(map(id, kept))) == len(kept)


def test_what_is_kept_is_bounded_and_the_last_used_stay(monkeypatch):
    forget_rank_splits()
    first = splits_of(FIFTEEN, Rules())
    second = splits_of(FIFTEEN, Rules("telesina"))
    monkeypatch.setattr(rank_splits_module, "MEMORY_LIMIT", first.nbytes + second.nbytes)
    assert splits_of(FIFTEEN, Rules(weights=(1, 1, 1, 1, 1))) is first
    third = splits_of(TEN, Rules())
    assert third.nbytes < first.nbytes
    assert splits_of(FIFTEEN, Rules()) is first
    assert splits_of(TEN, Rules()) is third
    assert splits_of(FIFTEEN, Rules("telesina")) is not second
    monkeypatch.setattr(rank_splits_module, "MEMORY_LIMIT", 0)
    assert splits_of(FIFTEEN, Rules()) is not splits_of(FIFTEEN, Rules())
    forget_rank_splits()
