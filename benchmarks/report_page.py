"""How big the review page of records is, how soon it is there, and how soon a letter in a filter is answered.

    python benchmarks/report_page.py RECORDS.jsonl [--chromium /usr/bin/chromium]

Needs Playwright and a Chromium. Times are wall clock: run it on a machine with nothing else to do.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from extractor.read import Problem
from extractor.record_files import read_records
from extractor.report import write_report

LOADS = 7
TYPED = (("search", "segmentation"), ("dataset", "ImageNet-1K"), ("method", "Transformer"))
# From the letter to the frame that shows the answer.
TYPE = """([id, letter]) => new Promise((done) => {
  const start = performance.now();
  const field = document.getElementById(id);
  new MutationObserver((_, watch) => {
    watch.disconnect();
    requestAnimationFrame(() => setTimeout(() => done(performance.now() - start)));
  }).observe(document.getElementById("view"), { childList: true });
  field.value += letter;
  field.dispatchEvent(new Event("input", { bubbles: true }));
})"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("records")
    parser.add_argument("--chromium", default=shutil.which("chromium"))
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "page.html"
        found = (entry[1] for entry in read_records(given.records) if not isinstance(entry, Problem))
        papers = write_report(found, page)
        print(f"{papers:,} papers: {page.stat().st_size / 1e6:.1f} MB")
        with sync_playwright() as started:
            browser = started.chromium.launch(executable_path=given.chromium, args=["--no-sandbox"])
            firsts = [first_view(browser, page) for _ in range(LOADS)]
            print(f"first view: {told(firsts)}")
            for view in ("papers", "numbers"):
                for field, text in TYPED:
                    print(f"a letter in {field}, {view}: {told(typing(browser, page, view, field, text))}")
            browser.close()


def first_view(browser: Any, path: Path) -> float:
    """Milliseconds from the start of loading to the first papers."""
    page = browser.new_page()
    page.goto(path.as_uri())
    page.locator("article").first.wait_for()
    made: float = page.evaluate("performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd")
    page.close()
    return made


def typing(browser: Any, path: Path, view: str, field: str, text: str) -> list[float]:
    """Milliseconds for each letter of ``text``, typed one after another."""
    page = browser.new_page()
    page.goto(path.as_uri())
    page.locator(f"#show-{view}").click()
    page.wait_for_timeout(1000)
    made = []
    for letter in text:
        made.append(page.evaluate(TYPE, [field, letter]))
        page.wait_for_timeout(100)
    page.close()
    return made


def told(times: list[float]) -> str:
    return f"median {statistics.median(times):.0f} ms, slowest {max(times):.0f} ms"


if __name__ == "__main__":
    main()
