"""Corrections made in a spreadsheet, brought back into the records they were exported from."""

from extractor.correct.apply import Change, correct_record
from extractor.correct.reading import correction_files, read_corrections
from extractor.correct.rows import Corrections
from extractor.correct.run import Missing, Tally, correct

__all__ = [
    "Change",
    "Corrections",
    "Missing",
    "Tally",
    "correct",
    "correct_record",
    "correction_files",
    "read_corrections",
]
