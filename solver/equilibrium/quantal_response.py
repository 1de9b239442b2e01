"""Logit quantal response equilibrium over the undominated arrangements.

Each arrangement a is played with probability proportional to exp(LAMBDA u(a)), where u(a) is its expected margin
against the mix itself. The entropy term makes this fixed point unique (McKelvey and Palfrey, Quantal response
equilibria for normal form games, 1995).

A margin is a sum over places, so the mix acts only through the values G[p, s] of strength s in place p: a few hundred
numbers decide a hundred thousand probabilities. With F(G) the place values against the mix that G gives, the fixed
point is a root of F(G) - G, found here by Newton's method:

- the marginals of the mix have the Jacobian LAMBDA C, with C the covariance of the indicators "strength s in place p";
- F is linear in the marginals, `(A x)[p, s] = weight[p] (sum of x[p, t] over t < s, less that over t > s)`, and A is
  skew-symmetric;
- so a step solves (I - LAMBDA A C) d = F(G) - G. The product of a skew-symmetric and a positive semidefinite matrix has
  imaginary eigenvalues only: the matrix is never singular.

Far from the root of a large LAMBDA the steps wander, so LAMBDA grows from small to wanted, each root starting the next.
"""

import numpy as np
from threadpoolctl import threadpool_limits

from solver.dominance.orders import order_table
from solver.dominance.partitions import Partitions
from solver.errors import InternalError
from solver.game.arrays import FloatArray, IntArray
from solver.system.limits import NO_LIMITS, Limits

TOLERANCE = 1e-9
"""Largest difference, in points of 25, between an arrangement's margin and the one its probability stands for."""
_ROUGH = 1e-2
_FIRST_LAMBDA = 0.3
_GROWTH = 10**0.5
_SMALLEST_GROWTH = 1.000001
_MOST_STEPS = 60
_SHORTEST_STEP = 1e-3


def solve_quantal_response(
    partitions: Partitions,
    rationality: float,
    weights: tuple[int, ...],
    limits: Limits = NO_LIMITS,
) -> FloatArray:
    """Return the probability of every undominated arrangement.

    Parameters
    ----------
    partitions
        The m undominated partitions of a deal into n packets.
    rationality
        LAMBDA, per point; 0 plays all arrangements alike, large values only best responses.
    weights
        Points of the places, at least n of them.
    limits
        When to give up.

    Returns
    -------
    ndarray
        Shape (m, n!), float64, adding up to 1: partition by order, the orders as in `enumeration.orders`.

    Raises
    ------
    LimitReached
        If the limits came first.
    """
    points = np.array(weights[: partitions.strengths.shape[1]], dtype=np.float64)
    game = _PlaceGame(partitions.strengths, points)
    # The constants were chosen for 25 points. An exponent is rounded to eps * LAMBDA * points, and so is, relative to
    # itself, every probability: no margin is known better than that times the points, with a factor found by trial.
    scale = points.sum() / 25
    tolerance = max(TOLERANCE * scale, 7 * np.finfo(np.float64).eps * rationality * points.sum() ** 2)
    values = np.zeros(game.size)
    solved, growth = 0.0, _GROWTH
    wanted = min(_FIRST_LAMBDA / scale, rationality)
    with threadpool_limits(1):
        while solved < rationality:
            goal = tolerance if wanted == rationality else _ROUGH * scale
            found = _newton(game, values, wanted, goal, limits)
            if found is not None:
                values, solved, growth = found, wanted, min(growth**1.5, _GROWTH)
            else:
                growth = growth**0.5
                if growth < _SMALLEST_GROWTH:
                    raise InternalError(f"no quantal response found beyond LAMBDA = {solved}")
            wanted = min(max(solved, _FIRST_LAMBDA / scale / _GROWTH) * growth, rationality)
        return game.probabilities(values, rationality)


def _newton(
    game: "_PlaceGame",
    start: FloatArray,
    rationality: float,
    tolerance: float,
    limits: Limits,
) -> FloatArray | None:
    """Return the root of F(G) - G near `start`, or None if the steps do not settle."""
    values = start
    residual = game.response(values, rationality) - values
    for _ in range(_MOST_STEPS):
        if game.largest_margin(residual) <= tolerance:
            return values
        limits.check("the quantal response was not ready")
        step = np.linalg.solve(game.jacobian(values, rationality), residual)
        length, norm = 1.0, float(np.linalg.norm(residual))
        while length > _SHORTEST_STEP:
            candidate = values + length * step
            residual = game.response(candidate, rationality) - candidate
            if np.linalg.norm(residual) < (1 - 0.3 * length) * norm:
                break
            length /= 2
        else:
            return None
        values = candidate
    return None


class _PlaceGame:
    """The game as its place values see it; G is a flat vector, place by place, of length `size`."""

    def __init__(self, strengths: IntArray, weights: FloatArray) -> None:
        self.count, self.places = strengths.shape
        self.weights = weights
        distinct, classes = np.unique(strengths, return_inverse=True)
        self.classes = classes.reshape(strengths.shape)
        self.kinds = len(distinct)
        self.size = self.places * self.kinds
        self.orders = order_table(self.places)
        # Entry [i, p * n + j]: where in G packet j of partition i stands if it lies in place p.
        self.slots = (self.classes[:, None, :] + self.kinds * np.arange(self.places)[:, None]).reshape(self.count, -1)
        self.laid = self._indicator(np.arange(self.places) * self.places + self.orders)

    def _indicator(self, columns: IntArray) -> FloatArray:
        """Return the 0/1 matrix, shape (n!, n * n), with ones in the given columns of each row."""
        table = np.zeros((len(self.orders), self.places**2))
        np.put_along_axis(table, columns.reshape(len(self.orders), -1), 1.0, axis=1)
        return table

    def probabilities(self, values: FloatArray, rationality: float) -> FloatArray:
        """Return the logit mix of G, shape (m, n!)."""
        exponents = rationality * (values[self.slots] @ self.laid.T)
        chances = np.exp(exponents - exponents.max())
        return np.asarray(chances / chances.sum())

    def response(self, values: FloatArray, rationality: float) -> FloatArray:
        """Return F(G): the place values against the logit mix of G."""
        marginals = self._marginals(self.probabilities(values, rationality))
        return self._place_values(marginals.reshape(self.places, self.kinds)).ravel()

    def jacobian(self, values: FloatArray, rationality: float) -> FloatArray:
        """Return I - LAMBDA A C, the Jacobian of G - F(G), shape (size, size)."""
        chances = self.probabilities(values, rationality)
        marginals = self._marginals(chances)
        covariance = np.diag(marginals) - np.outer(marginals, marginals)
        blocks = covariance.reshape(self.places, self.kinds, self.places, self.kinds)
        pair_slots = (self.classes[:, :, None] * self.kinds + self.classes[:, None, :]).ravel()
        for first in range(self.places):
            for second in range(first + 1, self.places):
                pairs = self._indicator(self.orders[:, first] * self.places + self.orders[:, second])
                joint = np.bincount(pair_slots, (chances @ pairs).ravel(), minlength=self.kinds**2)
                blocks[first, :, second] += joint.reshape(self.kinds, self.kinds)
                blocks[second, :, first] += joint.reshape(self.kinds, self.kinds).T
        product = self._place_values(covariance.reshape(self.places, self.kinds, self.size))
        return np.asarray(np.eye(self.size) - rationality * product.reshape(self.size, self.size))

    def largest_margin(self, residual: FloatArray) -> float:
        """Return a bound on how much the margin of any arrangement changes where G changes by `residual`."""
        return float(np.abs(residual.reshape(self.places, self.kinds)).max(axis=1).sum())

    def _marginals(self, chances: FloatArray) -> FloatArray:
        """Return the chance of each strength in each place, flat."""
        weights = (chances @ self.laid).ravel()
        return np.bincount(self.slots.ravel(), weights, minlength=self.size).astype(np.float64)

    def _place_values(self, marginals: FloatArray) -> FloatArray:
        """Apply A along axis 1 of an array of shape (n, kinds, …)."""
        sums = np.cumsum(marginals, axis=1)
        weights = self.weights.reshape((-1,) + (1,) * (marginals.ndim - 1))
        return np.asarray(weights * (2 * sums - marginals - sums[:, -1:]))
