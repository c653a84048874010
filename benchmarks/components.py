"""Where the time of an extraction goes: processor time per abstract by step, and the time to load the model.

    python benchmarks/components.py TEXTS.jsonl [--limit 300] [--repeat 5] [--loads 7]

TEXTS holds {"text": …} a line. Every text goes through the steps of ``Extractor.extract``, each with its own clock
(processor seconds, one core); of ``--repeat`` runs over all texts the median of each step is printed as a row of a
Markdown table. The model is loaded by ``--loads`` fresh processes, which time nothing but that.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from extractor import pipeline
from extractor.find import judge
from extractor.mentions import KEY, TEXT, findings
from extractor.model import load
from extractor.relate.code_status import code_status
from extractor.relate.results import relate_results

LOADING = """
import time
start = time.process_time()
from extractor.model import load
load()
print(time.process_time() - start)
"""
MODEL_PARTS = ("candidates", "features", "probabilities")


class Clock(defaultdict[str, float]):
    """Step → seconds spent in it. A step that runs inside another one counts for itself alone."""

    def __init__(self) -> None:
        super().__init__(float)
        self.inner = 0.0  # seconds of finished steps inside the running one

    def __call__(self, step: str, work: Callable[..., Any], *given: Any, **named: Any) -> Any:
        outer, self.inner = self.inner, 0.0
        start = time.process_time()
        made = work(*given, **named)
        spent = time.process_time() - start
        self[step] += spent - self.inner
        self.inner = outer + spent
        return made


class ClockedModel:
    """The model with its look-up under the clock."""

    def __init__(self, clock: Clock) -> None:
        self.model = load()
        self.probabilities = partial(clock, "probabilities", self.model.probabilities)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.model, name)


def extract(extractor: pipeline.Extractor, model: Any, clock: Clock, text: str) -> None:
    """``Extractor.extract`` step by step."""
    received = clock("normalise", pipeline.Received.of, text, None)
    doc = clock("tokens", extractor.nlp.make_doc, received.text)
    doc.user_data.update({KEY: pipeline.start(received), TEXT: received.text})
    for name, component in extractor.nlp.pipeline:
        work = partial(judge.decide, model=model) if name == pipeline.MODEL else component
        doc = clock(name, work, doc)
    found = findings(doc)
    clock("relate results", relate_results, received.text, found, extractor.choices)
    found.code_status = clock("code status", code_status, received.text, found)
    clock("record", pipeline.record_of, received, found, text)


def measure(texts: Sequence[str], repeat: int) -> dict[str, float]:
    """Step → milliseconds a text, the median of ``repeat`` runs, in the order in which the steps end."""
    clock = Clock()
    extractor, model = pipeline.Extractor(), ClockedModel(clock)
    for part in ("candidates", "features"):
        setattr(judge, part, partial(clock, part, getattr(judge, part)))
    for text in texts[:20]:  # tables and patterns load on first use
        extract(extractor, model, clock, text)
    runs: dict[str, list[float]] = {step: [] for step in clock}
    for _ in range(repeat):
        clock.clear()
        for text in texts:
            extract(extractor, model, clock, text)
        for step, seconds in clock.items():
            runs[step].append(1000 * seconds / len(texts))
    return {step: statistics.median(taken) for step, taken in runs.items()}


def loading(times: int) -> float:
    """Milliseconds to import and load the model in a fresh process, the median of ``times``."""
    command = [sys.executable, "-c", LOADING]
    taken = [float(subprocess.run(command, check=True, capture_output=True, text=True).stdout) for _ in range(times)]
    return 1000 * statistics.median(taken)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("texts", type=Path)
    arguments.add_argument("--limit", type=int, default=300)
    arguments.add_argument("--repeat", type=int, default=5)
    arguments.add_argument("--loads", type=int, default=7)
    options = arguments.parse_args()
    lines = options.texts.read_text(encoding="utf-8").splitlines()[: options.limit]
    texts = [json.loads(line)["text"] for line in lines if line.strip()]
    steps = measure(texts, options.repeat)
    whole = sum(steps.values())
    print("| step | ms an abstract | share |\n|---|---:|---:|")
    for step, taken in steps.items():
        name = f"{pipeline.MODEL}: {step}" if step in MODEL_PARTS else step
        if step == pipeline.MODEL:
            name += ": decision"
        print(f"| {name} | {taken:.2f} | {taken / whole:.0%} |")
    print(f"| **all** | **{whole:.2f}** | 100% |")
    print(f"\n{len(texts)} texts, medians of {options.repeat} runs, processor time of one core.")
    print(f"Loading the model: {loading(options.loads):.0f} ms (median of {options.loads} fresh processes).")


if __name__ == "__main__":
    main()
