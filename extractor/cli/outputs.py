"""Outputs: those that would destroy an input or one another are refused, and errors have one of their own."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from extractor.errors import UsageError
from extractor.write import Output, choose_format, same_file


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


def errors_output(name: str | None) -> Output | None:
    """Where what failed is listed, if anywhere."""
    if name is None:
        return None
    if name == "-" or not choose_format(name).tabular:
        raise UsageError(f"--errors {name}: a file is needed here that ends in .jsonl, .json, .csv or .tsv")
    return Output(name, table="errors")
