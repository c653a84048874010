"""Outputs that would destroy an input or one another are refused."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from extractor.errors import UsageError
from extractor.write import Output, same_file


def refuse_input(file: Path, inputs: Sequence[str]) -> None:
    """Raise when ``file`` is one of ``inputs``; a device may be read and written at once."""
    if file.exists() and not file.is_file():
        return
    for given in inputs:
        if given != "-" and same_file(file, Path(given)):
            raise UsageError(f"{file} is an input and would be overwritten: choose another output")


def refuse_inputs(outputs: Sequence[Output], inputs: Sequence[str]) -> None:
    """Raise when an output is one of ``inputs``, or the same as another output."""
    for at, output in enumerate(outputs):
        for file in output.files():
            if file.exists() and not file.is_file():
                continue
            refuse_input(file, inputs)
            for other in outputs[:at]:
                if any(same_file(file, taken) for taken in other.files()):
                    raise UsageError(f"{file} would be written twice: choose another name for one of the outputs")
