"""What a careless hand could do to the exact core, and the tests that must notice: read by `test_mutants.py`."""

from typing import NamedTuple


class Mutant(NamedTuple):
    """One change of one file.

    Parameters
    ----------
    file
        Path from the root.
    tests
        What must fail: a file of tests, or where that takes long, one test of it.
    old, new
        Text that the file has exactly once, and what is put in its place.
    """

    file: str
    tests: str
    old: str
    new: str


_CHANGES = {
    # Hands: the order of categories, ties, straights at both ends, and the layout of the sums.
    ("solver/game/evaluator.py", "tests/game/test_evaluator.py"): (
        ("_WHEEL = (0, 1, 2, 3, _ACE)", "_WHEEL = (1, 2, 3, 4, _ACE)"),
        ("        return -1\n", "        return LOWEST_RANK + 3\n"),
        ("        return 3\n", "        return _ACE\n"),
        ("if all(higher - lower", "if any(higher - lower"),
        ("return ranks[-1]", "return ranks[0]"),
        ("(ranks.count(rank), rank) for", "(rank, ranks.count(rank)) for"),
        ("else STRAIGHT), (top,)", "else STRAIGHT), ties"),
        ("(3, 1, 1): TRIPS", "(3, 1): TRIPS"),
        ("and category != PAIR", "and category not in (PAIR, QUADS)"),
        ("ties[:2] if category == TWO_PAIR else ties[:1]", "ties[:1]"),
        ("category in (FLUSH, FULL_HOUSE)", "category == FLUSH"),
        ("if ranks[0] != ranks[-1]", "if len(set(ranks)) > 2"),
        ("_RANK_BITS = 19", "_RANK_BITS = 18"),
        ("_COUNTER_BITS = 3", "_COUNTER_BITS = 2"),
        ("& _RANK_MASK).astype(np.int64)", "& _RANK_MASK).astype(np.int16)"),
        ("range(2, PACKET_SIZE)", "range(2, PACKET_SIZE - 1)"),
        ("(sums >> 2)", "(sums >> 1)"),
        ("_tables_of(rules.name, rules.ace_low)", "_tables_of(rules.name, False)"),
    ),
    ("solver/game/evaluator.py", "tests/game/test_evaluator.py::test_ids_that_are_no_cards_are_refused_and_quoted"): (
        (".max() >= len(FULL_PACK)", ".max() > len(FULL_PACK)"),
        ("ids.view(np.uint64).max()", "ids.max()"),
    ),
    ("solver/game/evaluator.py", "tests/game/test_evaluator.py::test_hands_of_another_type_are_refused"): (
        ('not in "iu"', 'not in "iub"'),
    ),
    # What an arrangement is worth: ties, signs, the order of the places, and which total a share is of.
    ("solver/strategies/payoffs.py", "tests/strategies/test_payoffs.py"): (
        ('side="left"', 'side="right"'),
        ('side="right"', 'side="left"'),
        ("]).astype(np.int64)", "]).astype(np.int32)"),
        ("weight * (below - above)", "weight * (above - below)"),
        ("else weight * below", "else below"),
        ("np.sign(strengths - rows)", "np.sign(rows - strengths)"),
        ("np.asarray(weights, dtype=np.int64)", "np.asarray(weights, dtype=np.int64)[::-1]"),
        ("mix.places[place]", "mix.places[-1 - place]"),
        ("weights[: len(strengths)]", "weights[-len(strengths) :]"),
        ("margins > 0", "margins >= 0"),
        ("margins < 0", "margins <= 0"),
        ("self.win + self.draw / 2", "self.win"),
        ("Fraction(win, mix.row_total)", "Fraction(win, mix.total)"),
        ("Fraction(mix.row_total - win", "Fraction(mix.total - win"),
    ),
    # Partitions: flush packets, the order of rows and cards, and the checks of the result.
    ("solver/dominance/partitions.py", "tests/dominance/test_partitions.py::test_known_counts"): (
        ("undominated(np.sort(packets.strengths[candidates], axis=1))", "undominated(packets.strengths[candidates])"),
        ("np.sort(packets.strengths[candidates], axis=1)", "np.sort(packets.strengths[candidates], axis=0)"),
        ("np.tile(flushes, len(chosen))", "np.repeat(flushes, len(chosen))"),
        ("if count < len(choices):", "if count < len(choices) - 1:"),
        (
            "undominated_in_groups(np.sort(self.strengths[chosen], axis=1), self._states(chosen))",
            "undominated(np.sort(self.strengths[chosen], axis=1))",
        ),
        ("np.sort(hands, axis=2)[:, :, ::-1]", "np.sort(hands, axis=2)"),
    ),
    (
        "solver/dominance/partitions.py",
        "tests/dominance/test_partitions.py::test_two_packets_of_two_suits_equal_brute_force",
    ): (("choices[: self.deal.places]", "choices[: self.deal.places - 1]"),),
    ("solver/dominance/partitions.py", "tests/dominance/test_partitions.py::test_rows_are_sorted_and_read_only"): (
        ("np.lexsort(strengths.T[::-1])", "np.lexsort(strengths.T)"),
        ("    hands.flags.writeable = False", "    hands.flags.writeable = True"),
    ),
    (
        "solver/dominance/partitions.py",
        "tests/dominance/test_partitions.py::test_a_partition_that_has_a_card_twice_is_refused",
    ): (("== sorted(deal.cards)).all()", "== sorted(deal.cards)).any()"),),
    (
        "solver/dominance/partitions.py",
        "tests/dominance/test_partitions.py::test_a_partition_that_is_stronger_in_cards_than_counted_is_refused",
    ): (("== strengths).all()", "== strengths).any()"),),
    # Dominance: equal rows, the wrong axis, a column too few, sums and rows in too few bits.
    ("solver/dominance/pareto.py", "tests/dominance/test_pareto.py"): (
        ("order = np.argsort(-rows.sum(axis=1, dtype=np.int64)", "order = np.argsort(rows.sum(axis=1, dtype=np.int64)"),
        ("np.argsort(-rows.sum(axis=1, dtype=np.int64)", "np.argsort(-rows.sum(axis=1, dtype=rows.dtype)"),
        (
            "np.result_type(np.min_scalar_type(rows.min()), np.min_scalar_type(rows.max()))",
            "np.min_scalar_type(rows.max())",
        ),
        ("np.triu(below, 1)", "np.triu(below, 2)"),
        ("np.triu(below, 1)", "(below & ~np.eye(len(below), dtype=np.bool_))"),
        ("np.triu(below, 1).any(axis=0)", "np.triu(below, 1).any(axis=1)"),
        ("first[0][:, None] >= second[0]", "first[0][:, None] > second[0]"),
        ("mine[:, None] >= theirs", "mine[:, None] > theirs"),
        ("zip(first[1:], second[1:], strict=True)", "zip(first[2:], second[2:], strict=True)"),
        ("[rest]\n    return np.sort(np.concatenate(kept))", "[rest]\n    return np.concatenate(kept)"),
        ("np.lexsort((-rows.sum", "np.lexsort((rows.sum"),
        ("np.lexsort((-rows.sum(axis=1, dtype=np.int64)", "np.lexsort((-rows.sum(axis=1, dtype=rows.dtype)"),
        ("(rows[left] > rows[leader]).any(axis=1)", "(rows[left] > rows[leader]).all(axis=1)"),
    ),
    # Packets without suits.
    ("solver/dominance/rank_multisets.py", "tests/dominance/test_rank_splits.py"): (
        ("multisets <= counts", "multisets < counts"),
        ('np.argsort(strengths, kind="stable")', 'np.argsort(-strengths, kind="stable")'),
        ("prepend=self.strengths[:1]) > 0", "prepend=self.strengths[:1]) >= 0"),
        ("np.cumprod(counts + 1)", "np.cumprod(counts)"),
        ("_GUARD = 8 *", "_GUARD = 4 *"),
        ("& _GUARD == _GUARD", "& _GUARD != 0"),
        ("1 << 4 * np.arange", "1 << 3 * np.arange"),
        ("counts.max(axis=1) <= SUITS", "counts.max(axis=1) < SUITS"),
        ("np.arange(PACKET_SIZE) % SUITS", "np.arange(PACKET_SIZE) * 0"),
        ("(ranks.reshape(-1, PACKET_SIZE) + LOWEST_RANK)", "ranks.reshape(-1, PACKET_SIZE)"),
    ),
    # Splits: packets that tie, runs that end, the last used that stays.
    ("solver/dominance/rank_splits.py", "tests/dominance/test_rank_splits.py"): (
        ("first - np.cumsum(sizes) + sizes", "first - np.cumsum(sizes)"),
        ("np.triu(fits(packets.digits, room[:, None]))", "np.triu(fits(packets.digits, room[:, None]), 1)"),
        ("np.flatnonzero(both_fit)[::-1]", "np.flatnonzero(both_fit)"),
        ("np.maximum.reduceat", "np.minimum.reduceat"),
        ("(np.diff(record, prepend=-1) > 0)", "(np.diff(record, prepend=-1) >= 0)"),
        ("[run] & (high == best[run])", "[run]"),
        ("compatible |= compatible.T", "compatible = compatible.T"),
        ("    kept = kept[np.diff(run[kept], prepend=-1) != 0]\n", ""),
        ("packets.classes >= packets.classes[:, None]", "packets.classes > packets.classes[:, None]"),
        ("packets[:, order].astype(np.int16)", "packets[:, order].astype(np.int8)"),
        ("states[order].astype(np.int32)", "states[order].astype(np.int16)"),
        ("rules.name, rules.ace_low)", "rules.name, False)"),
        ("popitem(last=False)", "popitem()"),
    ),
    (
        "solver/dominance/rank_splits.py",
        "tests/dominance/test_partitions.py::test_complete_and_sound_where_two_equal_straights_stand_in_the_middle",
    ): (
        ("lowest[rest] <= upper_class[upper]", "lowest[rest] < upper_class[upper]"),
        ("pair_class[pair] <= upper_class[upper]", "pair_class[pair] < upper_class[upper]"),
        ("(pair < end)", "(pair < end - 1)"),
    ),
    # The certificate.
    ("solver/equilibrium/certificate.py", "tests/equilibrium/test_certificate.py"): (
        ('"win": Fraction(1, 2)', '"win": Fraction(0)'),
        ('{"margin": Fraction(0)', '{"points": Fraction(0), "margin": Fraction(0)'),
        ("all_values(problem, partitions).max()", "all_values(problem, partitions)[-1].max()"),
        ("all_values(problem, partitions).max()", "all_values(problem, partitions)[:, 0].max()"),
        ("if gain < 0", "if gain <= 0"),
        ('    require_deal(mix.arrangements[0], deal, "the mix")\n', ""),
        ("mix.strength_mix(rules)", "mix.strength_mix()"),
        ("partitions.deal, mix, objective, rules)", "partitions.deal, mix, objective)"),
    ),
    # The question that all engines are asked.
    ("solver/best_response/problem.py", "tests/best_response/test_problem.py"): (
        ("(np.sign(margins) + 1)", "(2 * (margins > 0))"),
        ("self.weights) + self.row_offsets", "self.weights)"),
        ("return totals + self.earned", "return totals"),
        ("axis=0, dtype=np.int64)", "axis=0, dtype=np.int32)"),
        ("return 2 * self.mix.row_total", "return self.mix.row_total"),
        ("np.sign(strength - mix.rows[:, place])", "np.sign(mix.rows[:, place] - strength)"),
        ("row_offsets += weights[place]", "row_offsets = weights[place]"),
        ("tuple(weights[place] for place in free)", "tuple(weights[: len(free)])"),
        ("rules.weights[: deal.places]", "rules.weights[-deal.places :]"),
        ("mix.at_places(free) if fixed else mix", "mix"),
        ("if not 0 <= place < deal.places", "if place >= deal.places"),
        ("            left.remove(card)\n", ""),
    ),
    # Rounding to integer weights.
    ("solver/strategies/rounding.py", "tests/strategies/test_rounding.py"): (
        ("key=lambda i: -parts[i][1]", "key=lambda i: parts[i][1]"),
        ("[1])[:missing]", "[1])[: missing + 1]"),
        ("min(shares) < 0", "min(shares) <= 0"),
        ("// sum(place_weights)", "// max(place_weights)"),
        ("np.argsort(floors - products", "np.argsort(products - floors"),
    ),
}

MUTANTS = tuple(Mutant(file, tests, old, new) for (file, tests), changes in _CHANGES.items() for old, new in changes)
