"""The commands together, and what holds for all of them: exit codes and one-line errors."""

from __future__ import annotations

import functools
import os
import signal
import sys
from collections.abc import Callable
from typing import Annotated, Any

import typer

from extractor.cli.about import formats, schema
from extractor.cli.correction import correct
from extractor.cli.evaluation import evaluate
from extractor.cli.explanation import explain
from extractor.cli.extraction import extract
from extractor.cli.records import export, validate
from extractor.cli.report import report
from extractor.errors import ExtractorError
from extractor.version import __version__

FINE, SOME_FAILED, UNUSABLE, INTERRUPTED = 0, 1, 2, 130

app = typer.Typer(
    name="extractor",
    add_completion=False,
    no_args_is_help=True,
    # Plain help comes up in a third of the time.
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)


class Debug:
    """Whether unexpected errors show where they come from."""

    wanted = False


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"extractor {__version__}")
        raise typer.Exit


@app.callback()
def extractor(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version and leave.", callback=_show_version, is_eager=True)
    ] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show where an unexpected error comes from.")] = False,
) -> None:
    """Method names, reported numbers, datasets and code links from machine-learning abstracts.

    \b
    Example:
      extractor extract abstracts.txt -o results.xlsx

    Exit codes: 0 all is well, 1 some inputs failed, 2 wrong usage or nothing readable.
    """
    Debug.wanted = debug


def _command(function: Callable[..., int | None]) -> None:
    """Add ``function`` as a command whose return value is the exit code and whose errors are one line."""

    @functools.wraps(function)
    def run(*arguments: Any, **options: Any) -> None:
        raise typer.Exit(_guarded(functools.partial(function, *arguments, **options)))

    app.command()(run)


def _guarded(act: Callable[[], int | None]) -> int:
    try:
        code = act() or FINE
        sys.stdout.flush()
        return code
    except ExtractorError as error:
        if Debug.wanted:
            raise
        _complain(str(error))
        return UNUSABLE
    except BrokenPipeError:
        # The reader has gone (`| head`): there is nobody to tell. Nor may the interpreter try at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FINE
    except OSError as error:
        if Debug.wanted:
            raise
        place = f"{error.filename}: " if isinstance(error.filename, str) else ""
        _complain(f"{place}{error.strerror or error}")
        return UNUSABLE
    except KeyboardInterrupt:
        _complain("interrupted")
        return INTERRUPTED
    except typer.Exit:
        raise
    except Exception as error:
        if Debug.wanted or hasattr(error, "exit_code"):
            raise
        said = " ".join(str(error).split())
        _complain(f"unexpected {type(error).__name__}: {said} (extractor --debug … shows where it comes from)")
        return UNUSABLE


def _complain(message: str) -> None:
    from extractor.cli.console import one_line

    # A message may quote a file; nothing in it may steer the terminal.
    typer.echo(f"extractor: {one_line(message)}", err=True)


for _function in (extract, export, correct, report, validate, evaluate, explain, schema, formats):
    _command(_function)


def main() -> None:
    """Run the command line."""
    _open_streams()
    # Asked to end, it ends in good order: what was done so far is kept.
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, lambda number, frame: sys.exit(128 + number))
    app()


def _open_streams() -> None:
    """A standard stream that was closed before the start leads nowhere, and reading it gives nothing."""
    sys.stdin = sys.stdin or open(os.devnull, encoding="utf-8")  # noqa: SIM115, PTH123
    sys.stdout = sys.stdout or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123
    sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123
