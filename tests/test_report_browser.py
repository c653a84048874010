"""The review page in a browser: what a person sees and can do. Skipped where there is no Playwright or no Chromium."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from record_samples import ABSTRACT, sample, span

from extractor.records import Link, PaperRecord
from extractor.report import write_report

playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
if CHROMIUM is None:
    pytest.skip("there is no Chromium (apt-get install chromium)", allow_module_level=True)

HOSTILE = '</script><script>document.title = "hit"</script><img src=x onerror="document.title = \'hit\'">'
ASTRAL = "𝔽𝕠𝕝𝕕 😀 "


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with playwright.sync_playwright() as started:
        # The container of a test run is often one where the sandbox of the browser cannot be set up.
        made = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield made
        made.close()


@pytest.fixture
def opened(browser: Any, tmp_path: Path) -> Iterator[Any]:
    """Opens a page of records; no request and no error is let through."""
    wrong: list[str] = []
    contexts = []

    def open_page(records: list[PaperRecord], **options: Any) -> Any:
        path = tmp_path / "page.html"
        write_report(records, path)
        context = browser.new_context(**options)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
        page.on("request", lambda asked: wrong.append(asked.url) if not asked.url.startswith(path.as_uri()) else None)
        page.goto(path.as_uri())
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert wrong == []


def texts(page: Any, selector: str) -> list[str]:
    made: list[str] = page.locator(selector).all_text_contents()
    return made


def many(count: int) -> list[PaperRecord]:
    return [sample(f"p{n}", title=f"Paper {n}") for n in range(count)]


def test_mentions_are_highlighted_by_type(opened: Any) -> None:
    page = opened([sample()])
    assert texts(page, ".abstract") == [ABSTRACT]
    assert texts(page, ".abstract .method") == ["QuickNet", "QuickNet", "SlowNet"]
    assert texts(page, ".abstract .dataset") == ["ImageNet-1K"]
    assert texts(page, ".abstract .result") == ["3.2$\\times$", "+1.5 points"]
    assert texts(page, ".abstract a.link") == ["https://github.com/quick/net"]
    assert page.locator("a.link").get_attribute("rel") == "noopener noreferrer"


def test_offsets_are_code_points_whatever_the_characters(opened: Any) -> None:
    page = opened([sample(abstract=f"{ASTRAL}{ABSTRACT}")])
    assert texts(page, ".abstract") == [ASTRAL + ABSTRACT]
    assert texts(page, ".abstract .method") == ["QuickNet", "QuickNet", "SlowNet"]
    page.locator("#show-numbers").click()
    assert page.locator("tbody a").first.get_attribute("title").startswith("QuickNet is 3.2")
    page.locator("tbody a").first.click()
    assert "".join(texts(page, ".lit")).startswith("QuickNet is 3.2")
    assert texts(page, ".aimed") == ["3.2$\\times$"]


def test_hostile_texts_are_shown_and_do_nothing(opened: Any) -> None:
    abstract = f"{HOSTILE} {ABSTRACT}"
    bad = Link(url="javascript:alert(1)", kind="code", host="x", anonymous=False, span=span(abstract, "onerror"))
    page = opened([sample(HOSTILE, abstract, title=HOSTILE, url="javascript:alert(1)", links=[bad])])
    assert texts(page, ".abstract") == [abstract]
    assert texts(page, "article h2") == [HOSTILE]
    assert page.title() == "Extracted records"
    assert page.locator("img, article a").count() == 0
    assert texts(page, "span.link >> nth=-1") == ["onerror"]


def test_the_record_of_a_value_is_shown_on_hover_and_on_focus(opened: Any) -> None:
    page = opened([sample()])
    page.locator(".abstract .result").first.hover()
    assert page.locator("#card h3").text_content() == "3.2×"
    assert "SlowNet" in page.locator("#card").text_content()
    page.locator(".abstract .dataset").focus()
    assert page.locator("#card h3").text_content() == "ImageNet-1K"
    page.keyboard.press("Escape")
    assert page.locator("#card").is_hidden()


def test_filters_narrow_papers_and_numbers(opened: Any) -> None:
    page = opened([sample("a", title="Alpha"), sample("b", title="Beta", methods=[], results=[])])
    counts = page.locator("#counts")

    def filtered(said: str) -> None:
        playwright.expect(counts).to_have_text(said)

    filtered("2 papers, 2 numbers")
    page.fill("#search", "ALPHA quicknet")
    filtered("1 paper of 2, 2 numbers")
    page.locator("button[type=reset]").click()
    page.fill("#method", "slownet")
    filtered("1 paper of 2, 2 numbers")
    page.select_option("#unit", "x")
    filtered("1 paper of 2, 1 number")
    page.select_option("#kind", "gain")
    filtered("0 papers of 2, 0 numbers")
    assert page.locator("#view").text_content() == "Nothing fits these filters."
    page.locator("button[type=reset]").click()
    page.fill("#confidence", "0.95")
    filtered("2 papers, 0 numbers")
    page.locator("button[type=reset]").click()
    page.locator("#charts button", has_text="speedup").click()
    filtered("1 paper of 2, 1 number")


def test_rows_are_sorted_and_copied_as_csv(opened: Any) -> None:
    page = opened([sample("=a", title='Say "hi", all')], permissions=["clipboard-read", "clipboard-write"])
    page.keyboard.press("t")
    assert texts(page, "tbody td:first-child") == ["3.2×", "1.5 points"]
    page.locator("th button").first.click()
    page.locator("th button").first.click()
    assert texts(page, "tbody td:first-child") == ["1.5 points", "3.2×"]
    assert page.locator("th").first.get_attribute("aria-sort") == "ascending"
    page.locator("#copy").click()
    playwright.expect(page.locator("#said")).to_have_text("2 rows copied as CSV.")
    lines = page.evaluate("navigator.clipboard.readText()").splitlines()
    assert lines[0].startswith("paper_id,title,kind,value,high,unit")
    assert lines[1].startswith('\'=a,"Say ""hi"", all",gain,1.5,,points,exact,accuracy,,,ImageNet-1K,,,\'+1.5 points,')


def test_keys_move_between_papers_and_pages(opened: Any) -> None:
    page = opened(many(45))
    assert page.locator("article").count() == 20
    focused = "document.activeElement.id"
    page.keyboard.press("j")
    page.keyboard.press("j")
    assert page.evaluate(focused) == "p2"
    page.keyboard.press("k")
    assert page.evaluate(focused) == "p1"
    page.keyboard.press("]")
    page.keyboard.press("]")
    assert page.locator("article").count() == 5
    page.keyboard.press("/")
    page.keyboard.type("jt")
    assert page.input_value("#search") == "jt"


def test_back_leads_from_a_sentence_to_the_one_before(opened: Any) -> None:
    page = opened(many(45))
    page.keyboard.press("t")
    page.locator("tbody tr:nth-child(90) a").click()
    assert page.locator("article:has(.aimed)").get_attribute("id") == "p45"
    assert page.locator("#card h3").text_content() == "1.5 points"
    page.keyboard.press("t")
    page.locator("tbody tr:nth-child(1) a").click()
    assert page.locator("article:has(.aimed)").get_attribute("id") == "p1"
    page.go_back()
    page.locator("#p45 .aimed").wait_for()


def test_a_value_below_the_smallest_confidence_is_paler(opened: Any) -> None:
    page = opened([sample()])
    page.fill("#confidence", "0.85")
    page.locator(".unsure").wait_for()
    assert texts(page, ".unsure") == ["SlowNet"]


def test_no_papers_are_told(opened: Any) -> None:
    page = opened([])
    assert page.locator("#empty").is_visible()
    assert page.locator("main").is_hidden()


def test_a_narrow_screen_needs_no_sideways_scrolling(opened: Any) -> None:
    page = opened(many(3), viewport={"width": 360, "height": 700})
    for _ in range(2):
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        page.keyboard.press("t")


def test_the_first_view_of_five_thousand_papers_is_quick(opened: Any) -> None:
    filler = " It is described in words that take the room of a usual abstract of this field, not more." * 14
    records = [sample(f"p{n}", ABSTRACT + filler, title=f"Paper {n}") for n in range(5000)]
    records = [record.model_copy(update={"results": record.results * 3}) for record in records]
    before = time.perf_counter()
    page = opened(records)
    assert page.locator("article").count() == 20
    shown = page.evaluate("performance.now()")
    # Two seconds on a machine with nothing else to do; tests share theirs.
    assert shown < 6000, f"{shown} ms, {time.perf_counter() - before:.1f} s with writing"
