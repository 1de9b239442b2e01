import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from solver.dominance import pareto
from solver.dominance.pareto import undominated, undominated_in_groups

ROWS = st.integers(1, 4).flatmap(
    lambda columns: arrays(np.int64, st.tuples(st.integers(0, 60), st.just(columns)), elements=st.integers(-3, 3))
)


def is_dominated(row, others):
    return any((other >= row).all() and (other > row).any() for other in others)


def require_undominated(kept, rows):
    """Check that the rows kept are different and, as a set, those that no row dominates."""
    expected = {tuple(row) for row in rows.tolist() if not is_dominated(np.array(row), rows)}
    assert sorted(map(tuple, rows[kept].tolist())) == sorted(expected)


@given(rows=ROWS, block=st.sampled_from([1, 2, 5, 32]))
def test_undominated_rows(rows, block):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pareto, "_BLOCK", block)
        kept = undominated(rows)
    assert (np.diff(kept) > 0).all()
    require_undominated(kept, rows)


@given(rows=ROWS, data=st.data())
def test_groups_do_not_see_each_other(rows, data):
    groups = data.draw(arrays(np.int64, len(rows), elements=st.integers(0, 4)))
    kept = undominated_in_groups(rows, groups)
    assert (np.diff(kept) > 0).all()
    for group in range(5):
        members = np.flatnonzero(groups == group)
        require_undominated(np.searchsorted(members, kept[groups[kept] == group]), rows[members])


@pytest.mark.parametrize("scale", [1, 2**20, 2**40])
def test_large_numbers_do_not_wrap(scale):
    rows = np.array([[1, 2], [2, 1], [1, 1], [-3, 2], [100, -100]]) * scale * 100
    assert undominated(rows).tolist() == [0, 1, 4]


def test_sums_of_narrow_numbers_do_not_wrap():
    rows = np.array([[100, 100], [1, 1]], dtype=np.int8)
    assert undominated(rows).tolist() == [0]
    assert undominated_in_groups(rows, np.zeros(2, dtype=np.int64)).tolist() == [0]
