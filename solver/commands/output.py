"""Where and how a command writes its result."""

import functools
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from solver.commands.options import Command, decorated, language_option, notation_option
from solver.errors import QuintetError

if TYPE_CHECKING:
    from solver.reports.console import Style
    from solver.reports.html_page import PageStyle


class Output(NamedTuple):
    """Where and how a command writes its result."""

    as_json: bool
    path: str | None
    page_path: str | None
    notation: str | None
    language: str
    quiet: bool
    verbose: bool
    timings: bool
    started: float

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
        if self.path is not None:
            write_whole(self.path, to_json(document) + "\n")
        if page is not None and self.page_path is not None:
            from solver.reports.html_page import PageStyle

            write_whole(self.page_path, page(PageStyle(self.notation or "letters", self.language)))
        if self.as_json:
            click.echo(to_json(document))
        elif self.path is None or not self.quiet:
            text(self.style())

    def note(self, message: str) -> None:
        """Write one line to standard error, also with `--quiet`: it changes what the result means."""
        click.echo(f"quintet: {message}", err=True)

    def log(self) -> Callable[[str], None] | None:
        """Return where the solver's log goes: standard error with `--verbose`, else nowhere."""
        return (lambda line: click.echo(line, err=True)) if self.verbose else None


def output_options(command: Command) -> Command:
    """Add the options of every command that writes one result, gathered as `output`."""

    @functools.wraps(command)
    def gathered(*args: Any, **values: Any) -> Any:
        from solver.system.files import require_writable

        output = Output(
            as_json=values.pop("as_json"),
            path=values.pop("output_path"),
            page_path=values.pop("page_path", None),
            notation=values.pop("notation"),
            language=values.pop("lang"),
            quiet=values.pop("quiet"),
            verbose=values.pop("verbose"),
            timings=values.pop("timings"),
            started=time.monotonic(),
        )
        for path in (output.path, output.page_path):
            if path is not None:
                require_writable(path)
        if output.path is not None and output.path == output.page_path:
            raise QuintetError(f"{output.path}: cannot be both the document and the page")
        return command(*args, output=output, **values)

    options = [
        click.option("--json", "as_json", is_flag=True, help="Write the result as one JSON document."),
        click.option(
            "--output", "output_path", metavar="FILE", help="Also write the JSON document to FILE, whole or not at all."
        ),
        notation_option,
        language_option,
        click.option("--quiet", is_flag=True, help="Write the bare answer only, and no progress."),
        click.option("--verbose", is_flag=True, help="Log what the solver does to standard error."),
        click.option("--timings", is_flag=True, help="Add wall time, processor and memory to the JSON document."),
    ]
    return decorated(gathered, options)
