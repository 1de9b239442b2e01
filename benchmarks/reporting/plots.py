"""Drawing of `figures` with matplotlib, which nothing else here needs."""

import math
from collections.abc import Sequence
from pathlib import Path

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Canvas
from matplotlib.ticker import LogLocator, MaxNLocator, NullFormatter

from benchmarks.reporting.figures import BarChart, Cactus, Figure, Histogram, Scatter

matplotlib.use("Agg")

MARKERS = "osD^vP*X<>"
BINS = 30


def draw(figure: Figure, folder: Path) -> Path:
    """Write a figure as a PNG named after it and return its path."""
    canvas = Canvas(figsize=(9, 4.8), dpi=120, layout="constrained")
    axes = canvas.add_subplot()
    if isinstance(figure, Cactus):
        _cactus(axes, figure)
    elif isinstance(figure, Histogram):
        _histogram(axes, figure)
    elif isinstance(figure, BarChart):
        _bar_chart(axes, figure)
    else:
        _scatter(axes, figure)
    axes.set_title(figure.title, fontsize=11)
    axes.grid(alpha=0.3)
    axes.set_axisbelow(True)
    path = folder / f"{figure.name}.png"
    canvas.savefig(path, metadata={"Software": None})
    return path


def _cactus(axes: Axes, figure: Cactus) -> None:
    for (name, seconds), marker in zip(figure.series.items(), MARKERS * len(figure.series), strict=False):
        solved = sorted(value for value in seconds if math.isfinite(value))
        label = f"{name} ({len(solved)} of {len(seconds)})"
        size = 4 if len(solved) < 60 else 2.5
        axes.plot(solved, range(1, len(solved) + 1), marker=marker, markersize=size, linewidth=1, label=label)
    _make_logarithmic(axes, "x")
    axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_ylim(0, 1.05 * max(map(len, figure.series.values())))
    axes.set_xlabel("seconds each (logarithmic)")
    axes.set_ylabel("solved, proven, within that time")
    _legend(axes)


def _histogram(axes: Axes, figure: Histogram) -> None:
    values = np.concatenate([np.asarray(part, dtype=float) for part in figure.series.values()])
    if figure.logarithmic:
        edges = np.geomspace(values.min(), max(values.max(), values.min() * 1.01), BINS + 1)
    else:
        edges = np.linspace(values.min(), max(values.max(), values.min() + 1e-9), BINS + 1)
    parts = [np.asarray(part) for part in figure.series.values()]
    axes.hist(parts, bins=edges.tolist(), label=list(figure.series))
    if figure.logarithmic:
        _make_logarithmic(axes, "x")
    axes.set_xlabel(figure.unit + (" (logarithmic)" if figure.logarithmic else ""))
    axes.set_ylabel("number of deals")
    axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    _legend(axes)


def _bar_chart(axes: Axes, figure: BarChart) -> None:
    names = list(figure.values)[::-1]
    bars = axes.barh(names, [figure.values[name] for name in names], height=0.6)
    axes.bar_label(bars, fmt="%.3g", padding=3)
    axes.margins(x=0.12)
    axes.set_xlabel(figure.unit)


def _scatter(axes: Axes, figure: Scatter) -> None:
    for (name, points), marker in zip(figure.series.items(), MARKERS * len(figure.series), strict=False):
        x, y = _columns(points)
        axes.plot(x, y, marker, markersize=4, alpha=0.7, label=name)
    if figure.logarithmic_x:
        _make_logarithmic(axes, "x")
    if figure.logarithmic_y:
        _make_logarithmic(axes, "y")
    axes.set_xlabel(figure.x_unit + (" (logarithmic)" if figure.logarithmic_x else ""))
    axes.set_ylabel(figure.y_unit + (" (logarithmic)" if figure.logarithmic_y else ""))
    _legend(axes)


def _make_logarithmic(axes: Axes, name: str) -> None:
    """Make the x or y axis logarithmic, with plain numbers, once all is drawn."""
    axes.set(**{f"{name}scale": "log"})
    low, high = axes.get_xlim() if name == "x" else axes.get_ylim()
    axis = axes.xaxis if name == "x" else axes.yaxis
    axis.set_major_locator(LogLocator(subs=(1, 2, 5) if high < 1000 * low else (1,), numticks=30))
    axis.set_major_formatter("{x:g}")
    axis.set_minor_formatter(NullFormatter())


def _columns(points: Sequence[tuple[float, float]]) -> tuple[list[float], list[float]]:
    return [x for x, _ in points], [y for _, y in points]


def _legend(axes: Axes) -> None:
    """Name the series beside the plot, where no point can be hidden."""
    axes.legend(fontsize=8, loc="upper left", bbox_to_anchor=(1.01, 1), borderaxespad=0)
