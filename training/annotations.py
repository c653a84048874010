"""Annotated names as offsets, without the texts, and the texts joined to them again.

    python training/annotations.py make NAMES.jsonl TEXTS.jsonl... > training/annotations.jsonl
    python training/annotations.py join TEXTS.jsonl... > joined.jsonl

``NAMES.jsonl`` holds an object a line: id, group, methods (name, full_name, role) and datasets (name, role); texts are
``{"id", "text"}`` a line, perhaps compressed (.gz). ``make`` finds every occurrence of an annotated name and keeps
where it stands; ``join`` puts the texts beside the annotations of ``training/annotations.jsonl`` for other tools. The
metrics of annotated results come along when NAMES has them.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from extractor.find.names_entries import occurrences
from extractor.pipeline import Received
from extractor.record_files import read_objects

ANNOTATIONS = Path(__file__).with_name("annotations.jsonl")


def texts(paths: Iterable[str | Path]) -> dict[str, str]:
    """Abstracts by paper id."""
    return {str(row["id"]): row["text"] for path in paths for row in read_objects(str(path))}


def mentions(received: Received, names: Iterable[str | None]) -> list[list[int]]:
    """Offsets into the received abstract of every occurrence of the ``names``, longest first, without overlap."""
    taken: list[tuple[int, int]] = []
    for name in sorted({n for n in names if n}, key=lambda n: (-len(n), n)):
        for start, end in occurrences(received.text, " ".join(name.split())):
            if not any(start < e and s < end for s, e in taken):
                taken.append((start, end))
    return [list(received.place(start, end)[1:]) for start, end in sorted(taken)]


def with_offsets(row: dict[str, Any], text: str) -> dict[str, Any]:
    """An annotation with the offsets of its names in ``text``; a name that is written out from a list has none."""
    received = Received.of(text, None)
    methods = [
        {
            "name": m["name"], "full_name": m.get("full_name"), "role": m["role"],
            "mentions": mentions(received, (m["name"], m.get("full_name"))),
        }
        for m in row["methods"]
    ]  # fmt: skip
    datasets = [
        {"name": d["name"], "role": d["role"], "mentions": mentions(received, (d["name"],))} for d in row["datasets"]
    ]
    made = {"id": row["id"], "group": row["group"], "methods": methods, "datasets": datasets}
    metrics = sorted({r["metric"] for r in row.get("results", ()) if r.get("metric")})
    if metrics:
        made["metrics"] = mentions(received, metrics)
    return made


def annotated(
    groups: Iterable[str], paths: Iterable[str | Path], annotations: str | Path = ANNOTATIONS
) -> list[tuple[str, dict[str, Any]]]:
    """(text, annotation) of every paper of ``groups`` whose text is in ``paths``, in the order of ``annotations``."""
    wanted = set(groups)
    known = texts(paths)
    found = [row for row in read_objects(str(annotations)) if row["group"] in wanted]
    missing = [row["id"] for row in found if row["id"] not in known]
    if missing:
        print(f"{len(missing)} of {len(found)} annotated papers have no text, among them {missing[0]}", file=sys.stderr)
    return [(known[row["id"]], row) for row in found if row["id"] in known]


def main(action: str, *paths: str) -> None:
    if action == "make":
        known = texts(paths[1:])
        for row in read_objects(paths[0]):
            print(json.dumps(with_offsets(row, known[row["id"]]), ensure_ascii=False))
    elif action == "join":
        groups = {row["group"] for row in read_objects(str(ANNOTATIONS))}
        for text, row in annotated(groups, paths):
            print(json.dumps({**row, "text": text}, ensure_ascii=False))
    else:
        raise SystemExit(__doc__)


if __name__ == "__main__":
    main(*sys.argv[1:])
