"""How far a batch has come, on a terminal, and the summary of its output as text."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.text import Text

from solver.batch.run import Tally
from solver.batch.summary import SMALLER_IS_WORSE
from solver.reports.console import Style
from solver.system.json_document import Document


class _RateColumn(ProgressColumn):
    """Deals a second."""

    def render(self, task: Task) -> Text:
        return Text(f"{task.speed:.1f} deals/s" if task.speed else "")


@contextmanager
def batch_progress(total: int | None, *, hidden: bool) -> Iterator[Callable[[Tally], None]]:
    """Show deals done and failed, the rate and the remaining time on standard error, if that is a terminal.

    Yields what is to be called with the tally after every record.
    """
    if hidden or not sys.stderr.isatty():
        yield lambda tally: None
        return
    columns = (
        TextColumn("{task.fields[done]} done, {task.fields[failed]} failed"),
        BarColumn(),
        _RateColumn(),
        TimeRemainingColumn(),
    )
    console = Console(file=sys.stderr, highlight=False)
    with Progress(*columns, console=console, transient=True, redirect_stdout=False, redirect_stderr=False) as bar:
        shown = bar.add_task("", total=total, done=0, failed=0)
        yield lambda tally: bar.update(shown, completed=tally.done + tally.failed, done=tally.done, failed=tally.failed)


def write_summary(style: Style, summary: Document) -> None:
    """Write the summary of an output file."""
    counts = [("done", summary["done"]), ("failed", summary["failed"]), *summary["status"].items()]
    table = style.table("Records", "Count", right=("Count",))
    for name, count in counts:
        table.add_row(style.phrase(name), str(count))
    style.show(table)
    figures = [name for name in SMALLER_IS_WORSE if name in summary]
    if figures:
        style.line()
        columns = ("Median", "90 %", "Worst")
        table = style.table("Figure", *columns, right=columns)
        for name in figures:
            table.add_row(style.phrase(name), *(f"{summary[name][key]:.6g}" for key in ("median", "p90", "worst")))
        style.show(table)
