"""The order in which a player lays packets: a habit that carries over from deal to deal.

A habit is a distribution over the orders of packets by strength. It is learnt from few deals, so it is shrunk to a
simple one: a mixture of "no habit" and of "packet i lies in place p, the others anyhow" for every i and p. The weights
of that mixture are a maximum-likelihood fit (EM). How far the orders themselves are shrunk to it is a Dirichlet prior
whose strength is chosen by its own marginal likelihood.

References
----------
A. P. Dempster, N. M. Laird, D. B. Rubin: Maximum likelihood from incomplete data via the EM algorithm. Journal of the
Royal Statistical Society B 39 (1977).
T. P. Minka: Estimating a Dirichlet distribution. Technical report, MIT (2000).
"""

import math
from functools import cache

import numpy as np

from solver.dominance.orders import order_table
from solver.game.arrays import BoolArray, FloatArray

_CONCENTRATIONS = (1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0, 1e5)
"""Prior deals that the simple habit may count for."""
_ROUNDS = 100
_PRIOR = 1.0
"""Deals without any habit that are taken for seen."""
_COST = 1.0
"""Deals that every part of a habit has to explain more than others do: a part that shows in fewer is noise."""


def order_classes(strengths: FloatArray) -> BoolArray:
    """Return which orders lay these packets, shape (n!,), for strengths place by place, shape (n,).

    Several do where packets tie.
    """
    ascending = np.sort(strengths)
    laid: BoolArray = (ascending[order_table(len(strengths))] == strengths).all(axis=1)
    return laid


@cache
def simple_habits(places: int) -> FloatArray:
    """Return the parts of a simple habit, shape (1 + n n, n!): none, then "packet i in place p"; each adds up to 1."""
    table = order_table(places)
    parts = [np.ones(len(table))]
    parts += [(table[:, place] == packet).astype(np.float64) for place in range(places) for packet in range(places)]
    habits = np.array(parts)
    return np.asarray(habits / habits.sum(axis=1, keepdims=True))


def learn_habit(classes: BoolArray, shares: FloatArray, start: FloatArray) -> FloatArray:
    """Return the habit that some deals show, shrunk to a simple one.

    Parameters
    ----------
    classes
        Shape (d, n!): the orders that each deal may have been laid in, as `order_classes`.
    shares
        Shape (d,): how much each deal counts, from 0 to 1.
    start
        Shape (n!,): the habit that shares a deal among its orders where packets tie.

    Returns
    -------
    ndarray
        Shape (n!,), adding up to 1.
    """
    places = next(n for n in range(1, 6) if math.factorial(n) == classes.shape[1])
    laid = classes * start
    laid *= (shares / np.maximum(laid.sum(axis=1), np.finfo(float).tiny))[:, None]
    counts = laid.sum(axis=0)
    simple = _simple_fit(counts, simple_habits(places))
    concentration = max(_CONCENTRATIONS, key=lambda strength: _evidence(counts, strength * simple))
    return np.asarray((counts + concentration * simple) / (counts.sum() + concentration))


def _simple_fit(counts: FloatArray, habits: FloatArray) -> FloatArray:
    """Return the mixture of the simple habits that makes the counts most likely, at a cost for each part.

    The cost is that of Figueiredo and Jain (Unsupervised learning of finite mixture models, IEEE PAMI 24, 2002).
    """
    weights = np.full(len(habits), 0.5 / (len(habits) - 1) if len(habits) > 1 else 1.0)
    weights[0] = 0.5
    for round_ in range(_ROUNDS):
        joint = weights[:, None] * habits
        shared = (joint / joint.sum(axis=0)) @ counts
        shared[0] += _PRIOR
        if round_ >= _ROUNDS // 2:  # from the start on, it would take away all parts before they can show
            shared[1:] = np.maximum(shared[1:] - _COST, 0.0)
        weights = shared / shared.sum()
    return np.asarray(weights @ habits)


def _evidence(counts: FloatArray, prior: FloatArray) -> float:
    """Return the log marginal likelihood of counts under a Dirichlet prior, up to a constant."""
    seen = counts > 0
    ratios = [math.lgamma(p + c) - math.lgamma(p) for p, c in zip(prior[seen], counts[seen], strict=True)]
    whole = float(prior.sum())
    return sum(ratios) + math.lgamma(whole) - math.lgamma(whole + float(counts.sum()))
