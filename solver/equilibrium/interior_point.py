"""Interior-point steps for the equilibrium of a symmetric zero-sum game that grows while it is solved.

With skew-symmetric payoffs A (what the row strategy makes against the column strategy) a mix q is an equilibrium
strategy if A q <= 0. The program "minimise v subject to s = v - A q >= 0, sum q = 1, q >= 0" is its own dual, and
since q A q = 0 its duality gap is s q = v itself. The central path, q_i s_i = mu for every i, leads to the most central
equilibrium.

A step from (q, s, v) with the residual r = v - A q - s, which is not zero after strategies were added, solves::

    s dq + q ds = sigma mu - q s        ds = dv - A dq + r        sum dq = 0

Inserting ds leaves one dense system, (diag(s / q) - A) dq = sigma mu / q - s - r - dv. It is linear in sigma and dv, so
three right-hand sides of one factorisation give the whole family of directions; sigma is then chosen by trying some.

References
----------
S. J. Wright: Primal-Dual Interior-Point Methods. SIAM 1997, chapters 5 and 6.
J. Gondzio, P. Gonzalez-Brevis, P. Munari: New developments in the primal-dual column generation technique. European
Journal of Operational Research 224 (2013).
"""

import numpy as np

from solver.game.arrays import FloatArray

_CENTRING_PARAMETERS = np.array([0.0, 0.01, 0.03, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 1.0, 1.5])
"""Values of sigma that are tried in every step."""
_FRACTION_TO_BOUNDARY = 0.99
"""Share of the way to the boundary of q, s >= 0 that a step may go."""
_CENTRALITY = 0.02
"""Smallest q_i s_i over their mean that is near enough to the central path."""
_PENALTY = 0.3
"""Weight, beside the gap, of ending less central than that: small, as the next steps can centre again."""
_LEAST_GAP = 0.01
"""Share of the residual below which the gap should not fall: it would vanish first, and then nothing moves."""

_IDLE = 4.0
"""Slack over weight, in units of the number of strategies, from which a strategy counts as idle."""
_WORTH_ELIMINATING = 24
"""Idle strategies from which a smaller system is worth its making."""


class CentralPath:
    """A strictly positive point near the central path of a game, moved by Newton steps.

    Parameters
    ----------
    payoffs
        Shape (n, n), skew-symmetric, entries from -1 to 1.
    bound
        Above the largest entry of `payoffs` times the uniform mix, where the path starts.

    Attributes
    ----------
    mix
        Shape (n,): q, positive, adds up to 1.
    slack
        Shape (n,): s, positive.
    bound
        v, the duality gap at a point without residual.
    """

    def __init__(self, payoffs: FloatArray, bound: float) -> None:
        size = len(payoffs)
        self._store = np.zeros((max(256, 2 * size),) * 2)
        self._store[:size, :size] = payoffs
        self.mix = np.full(size, 1 / size)
        self.bound = bound
        self.slack = bound - payoffs @ self.mix

    @property
    def payoffs(self) -> FloatArray:
        """Shape (n, n): A."""
        return self._store[: len(self.mix), : len(self.mix)]

    @property
    def support_mix(self) -> FloatArray:
        """The mix without its idle strategies, those with less weight than slack."""
        kept = np.where(self.mix > self.slack, self.mix, 0.0)
        total = kept.sum()
        return kept / total if total > 0 else self.mix

    def extend(self, block: FloatArray, gains: FloatArray) -> None:
        """Add strategies to the game.

        Parameters
        ----------
        block
            Shape (n + k, k): what all strategies, the k new ones last, make against the new ones.
        gains
            Shape (k,): what the new ones make against the mix.
        """
        total, count = block.shape
        size = total - count
        if total > len(self._store):
            store = np.zeros((total + 256,) * 2)
            store[:size, :size] = self.payoffs
            self._store = store
        self._store[:total, size:total] = block
        self._store[size:total, :size] = -block[:size].T
        lift = max(_LEAST_GAP * float(gains.max()) - self.bound, 0.0)
        self.bound += lift
        self.slack += lift
        # A new strategy violates its constraint by gain - v. It starts with slack of about that size, the difference
        # left to the residual, and with the weight that puts it on the central path, but no more than what leaves
        # the gains of all strategies as exact as they are. Raising v until nothing is violated would take all the
        # others off the path.
        gap = float(self.mix @ self.slack)
        slack = np.maximum(np.abs(gains - self.bound) / 3, self.bound / 20)
        weights = np.minimum(gap / size / slack, min(1 / total, max(float(gains.max()), gap) / count))
        self.mix = np.concatenate([self.mix, weights]) / (1 + weights.sum())
        self.slack = np.concatenate([self.slack, slack])

    def step(self) -> None:
        """Take one step towards the equilibrium."""
        mix, slack, payoffs, size = self.mix, self.slack, self.payoffs, len(self.mix)
        residual = self.bound - payoffs @ mix - slack
        mu = mix @ slack / size
        sides = np.stack([-slack - residual, mu / mix, np.ones(size)], axis=1)
        affine, centring, drift = parts = newton_directions(payoffs, slack / mix, sides).T
        # Every candidate direction is a combination of the three, one column for each sigma.
        bound_steps = (affine.sum() + _CENTRING_PARAMETERS * centring.sum()) / drift.sum()
        shares = np.stack([np.ones_like(_CENTRING_PARAMETERS), _CENTRING_PARAMETERS, -bound_steps])
        mix_steps = parts.T @ shares
        slack_steps = bound_steps + residual[:, None] - (payoffs @ parts.T) @ shares
        steepest = np.maximum(-(mix_steps / mix[:, None]).min(axis=0), -(slack_steps / slack[:, None]).min(axis=0))
        lengths = np.minimum(1.0, _FRACTION_TO_BOUNDARY / np.maximum(steepest, np.finfo(float).tiny))
        new_mix = mix[:, None] + lengths * mix_steps
        new_slack = slack[:, None] + lengths * slack_steps
        products = new_mix * new_slack
        gaps, left = products.sum(axis=0), (1 - lengths) * np.abs(residual).max()
        merits = (gaps + left) * np.maximum(1.0, _LEAST_GAP * left / gaps)
        merits *= 1 + _PENALTY * np.sqrt(_CENTRALITY * gaps / size / products.min(axis=0))
        best = int(merits.argmin())
        self.mix = new_mix[:, best] / new_mix[:, best].sum()
        self.slack = new_slack[:, best]
        self.bound += lengths[best] * bound_steps[best]


def newton_directions(payoffs: FloatArray, diagonal: FloatArray, sides: FloatArray) -> FloatArray:
    """Solve (diag(d) - A) X = B, leaving out what idle strategies make against each other.

    Where d = s / q is large, a strategy is idle: it weighs little, and its row is nearly diagonal. Without the block of
    A between idle strategies they are eliminated one by one, which leaves a system (a Schur complement) in the others
    alone. What is left out are products of small weights; the slacks of a step are computed from all of A.

    Parameters
    ----------
    payoffs
        Shape (n, n): A, skew-symmetric.
    diagonal
        Shape (n,): d, positive.
    sides
        Shape (n, k): B.

    Returns
    -------
    ndarray
        Shape (n, k): X.
    """
    is_idle = diagonal > _IDLE * len(diagonal)
    idle, others = np.flatnonzero(is_idle), np.flatnonzero(~is_idle)
    solution = np.empty(sides.shape)
    if len(idle) < _WORTH_ELIMINATING:
        system = -payoffs
        system.ravel()[:: len(diagonal) + 1] += diagonal
        solution[:] = np.linalg.solve(system, sides)
        return solution
    root = np.sqrt(diagonal[idle])
    across = payoffs[np.ix_(others, idle)]
    across /= root
    complement = across @ across.T
    complement -= payoffs[np.ix_(others, others)]
    complement.ravel()[:: len(others) + 1] += diagonal[others]
    scaled = sides[idle] / root[:, None]
    solution[others] = np.linalg.solve(complement, sides[others] + across @ scaled)
    solution[idle] = (scaled - across.T @ solution[others]) / root[:, None]
    return solution
