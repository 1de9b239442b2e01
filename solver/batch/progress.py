"""How far a batch has come, on a terminal."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.text import Text

from solver.batch.run import BatchCounts


class _RateColumn(ProgressColumn):
    """Deals a second."""

    def render(self, task: Task) -> Text:
        return Text(f"{task.speed:.1f} deals/s" if task.speed else "")


@contextmanager
def batch_progress(total: int | None, *, hidden: bool) -> Iterator[Callable[[BatchCounts], None]]:
    """Show deals done and failed, the rate and the remaining time on standard error, if that is a terminal.

    Yields what is to be called with the counts after every record.
    """
    if hidden or not sys.stderr.isatty():
        yield lambda counts: None
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
        yield lambda counts: bar.update(
            shown, completed=counts.done + counts.failed, done=counts.done, failed=counts.failed
        )
