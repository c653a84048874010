"""Corrections as they are given: a workbook, CSV files, or a folder of them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from extractor.correct.delimited import read_delimited
from extractor.correct.rows import ID_COLUMNS, Corrections
from extractor.errors import InputError
from extractor.read import Problem

ZIP = b"PK\x03\x04"
SUFFIXES = (".csv", ".tsv", ".tab", ".csv.gz", ".tsv.gz")


def read_corrections(paths: Sequence[str], encoding: str | None = None) -> Corrections:
    """All edited tables of ``paths``, each a workbook, a CSV or TSV file, or a folder as ``export`` writes it.

    ``encoding`` is that of CSV and TSV files, where it is known. Raises ``InputError`` for one that cannot be read, or
    holds no table that can be corrected.
    """
    made = Corrections()
    seen: set[str] = set()
    for file in correction_files(paths):
        place = os.path.realpath(file)
        if place in seen:
            made.problems.append(Problem(file, None, None, None, "given twice, and read once", "warning"))
            continue
        seen.add(place)
        if _is_zip(file):
            from extractor.correct.workbook import read_workbook

            read_workbook(file, made)
        else:
            read_delimited(file, made, encoding)
    return made


def correction_files(paths: Sequence[str]) -> list[str]:
    """The files that ``read_corrections`` reads. Raises ``InputError`` for a folder without any."""
    return [file for path in paths for file in _files(path)]


def _files(path: str) -> list[str]:
    """``path``, or the tables in it when it is a folder."""
    place = Path(path)
    if not place.is_dir():
        return [path]
    there = [place / (table + suffix) for table in ID_COLUMNS for suffix in SUFFIXES]
    files = [str(file) for file in there if file.is_file()]
    if not files:
        raise InputError(f"{path}: has no {', '.join(f'{table}.csv' for table in ID_COLUMNS)}: nothing to correct")
    return files


def _is_zip(path: str) -> bool:
    try:
        with Path(path).open("rb") as stream:
            return stream.read(len(ZIP)) == ZIP
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}") from error
