"""Seconds and memory that a workbook takes to write.

    python benchmarks/workbook.py RECORDS.jsonl [--results 120000] [--keep OUT.xlsx]

RECORDS are records of ``extractor extract``. With ``--results`` they are written again and again, each time with other
ids, until the workbook has that many rows of results.
"""

from __future__ import annotations

import argparse
import resource
import tempfile
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path

from extractor.read import Problem
from extractor.record_files import read_records
from extractor.records import PaperRecord
from extractor.write import Output


def records(path: str, results: int) -> Iterator[PaperRecord]:
    """The records of ``path``, once, or as often as it takes to give ``results`` results."""
    given = 0
    for turn in count():
        before = given
        for entry in read_records(path):
            if isinstance(entry, Problem):
                raise SystemExit(f"{path}:{entry.line}: {entry.message}")
            record = entry[1]
            given += len(record.results)
            yield record if turn == 0 else record.model_copy(update={"id": f"{record.id}-{turn}"})
            if turn and given >= results:
                return
        if given in (0, before) or given >= results:
            return


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("records")
    parser.add_argument("--results", type=int, default=0, help="rows of results to reach")
    parser.add_argument("--keep", metavar="OUT", help="where to leave the workbook")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        place = Path(options.keep or Path(folder) / "out.xlsx")
        papers = results = 0
        begin, processor = time.perf_counter(), time.process_time()
        with Output(str(place)) as out:
            for record in records(options.records, options.results):
                out.add(record)
                papers += 1
                results += len(record.results)
        wall, busy = time.perf_counter() - begin, time.process_time() - processor
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        size = place.stat().st_size / 1e6
    print(f"{papers:,} papers, {results:,} results, {size:.1f} MB")
    print(f"{wall:.1f} s, of which {busy:.1f} s of processor; {peak:.0f} MB of memory at most")


if __name__ == "__main__":
    main()
