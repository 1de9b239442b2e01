"""Plots of measurements, as plain data that a study can make without matplotlib."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Cactus:
    """How many items each contestant solves within how many seconds; infinite seconds are unsolved."""

    name: str
    title: str
    series: Mapping[str, Sequence[float]]


@dataclass(frozen=True, slots=True)
class Histogram:
    """How often values fall into equal ranges, or on a logarithmic axis into equal ratios."""

    name: str
    title: str
    unit: str
    series: Mapping[str, Sequence[float]]
    logarithmic: bool = False


@dataclass(frozen=True, slots=True)
class BarChart:
    """One figure a contestant, with its unit."""

    name: str
    title: str
    unit: str
    values: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Scatter:
    """Points (x, y), several a series."""

    name: str
    title: str
    x_unit: str
    y_unit: str
    series: Mapping[str, Sequence[tuple[float, float]]]
    logarithmic_x: bool = False
    logarithmic_y: bool = False


Figure = Cactus | Histogram | BarChart | Scatter
