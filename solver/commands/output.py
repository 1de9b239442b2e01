"""Where and how a command writes its result."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import click

from solver.commands.options import beginning, language_option, notation_option, option_group
from solver.errors import QuintetError

if TYPE_CHECKING:
    from solver.reports.console import Style
    from solver.reports.html_page import PageStyle


@dataclass(frozen=True, slots=True)
class Output:
    """Where and how a command writes its result, as its options say.

    Parameters
    ----------
    as_json
        Whether the document goes to standard output, and not text.
    output_path, page_path
        Files for the document and for the page, or None.
    notation, language
        Of text results and pages.
    quiet, verbose, timings
        The switches of these names.
    started
        Reading of `time.monotonic`.
    """

    as_json: bool
    output_path: str | None
    notation: str | None
    language: str
    quiet: bool
    verbose: bool
    timings: bool
    page_path: str | None = None
    started: float = field(default_factory=beginning)

    def __post_init__(self) -> None:
        from solver.system.files import require_writable

        for path in (self.output_path, self.page_path):
            if path is not None:
                require_writable(path)
        if self.output_path is not None and self.output_path == self.page_path:
            raise QuintetError(f"{self.output_path}: cannot be both the document and the page")

    def style(self) -> "Style":
        """Return the style of text output."""
        from solver.reports.console import Style

        return Style(self.notation, self.language, self.quiet)

    def write(
        self,
        document: dict[str, Any],
        text: Callable[["Style"], None],
        page: Callable[["PageStyle"], str] | None = None,
    ) -> None:
        """Write the document and the page to their files, and the document or else the text to standard output."""
        from solver.system.environment import timings
        from solver.system.files import write_whole
        from solver.system.json_document import to_json

        if self.timings:
            document = {**document, "timings": timings(time.monotonic() - self.started)}
        if self.output_path is not None:
            write_whole(self.output_path, to_json(document) + "\n")
        if page is not None and self.page_path is not None:
            from solver.reports.html_page import PageStyle

            write_whole(self.page_path, page(PageStyle(self.notation or "letters", self.language)))
        if self.as_json:
            click.echo(to_json(document))
        elif self.output_path is None or not self.quiet:
            text(self.style())

    def note(self, message: str) -> None:
        """Write one line to standard error, also with `--quiet`: it changes what the result means."""
        click.echo(f"quintet: {message}", err=True)

    def log(self) -> Callable[[str], None] | None:
        """Return where the solver's log goes: standard error with `--verbose`, else nowhere."""
        return (lambda line: click.echo(line, err=True)) if self.verbose else None


output_options = option_group(
    "output",
    Output,
    click.option("--json", "as_json", is_flag=True, help="Write the result as one JSON document."),
    click.option(
        "--output", "output_path", metavar="FILE", help="Also write the JSON document to FILE, whole or not at all."
    ),
    notation_option,
    language_option,
    click.option("--quiet", is_flag=True, help="Write the bare answer only, and no progress."),
    click.option("--verbose", is_flag=True, help="Log what the solver does to standard error."),
    click.option("--timings", is_flag=True, help="Add wall time, processor and memory to the JSON document."),
)
