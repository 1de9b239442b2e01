"""The summary of a batch's output as text."""

from solver.batch.summary import SMALLER_IS_WORSE
from solver.reports.console import Style
from solver.system.json_document import Document


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
