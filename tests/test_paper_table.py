"""The table on a terminal: it fits every width, steers no terminal, and says the best numbers first."""

from __future__ import annotations

import json
import os
import re
import struct
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from record_samples import sample
from rich.cells import cell_len

from extractor.cli.paper_table import SHOWN_PAPERS, PaperTable, best_numbers
from extractor.records import Dataset, Method, PaperRecord, Result

FIXTURES = Path(__file__).parents[1] / "fixtures"
SEQUENCE = re.compile(r"\x1b\[[0-9;]*m")
WIDTHS = (40, 60, 71, 72, 80, 120, 130, 200)
STEERING = "[red]bold[/red] [link=x]\x1b[2J\x1b]8;;http://x\x07 \x9b31m \u202eright\u2066 \r\x85\n\ttabbed\x00"


def drawn(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], width: int, *papers: PaperRecord) -> str:
    monkeypatch.setenv("COLUMNS", str(width))
    table = PaperTable()
    for paper in papers:
        table.add(paper)
    table.show()
    return capsys.readouterr().out


def named(name: str, **changes: Any) -> PaperRecord:
    """A paper in which everything that is shown is ``name``."""
    old = sample()
    return sample(
        name,
        title=name,
        methods=[Method(name=name, role="proposed", mentions=[], confidence=1, rule="test")],
        datasets=[Dataset(name=name, canonical=name, role="used", mentions=[], confidence=1, rule="test")],
        results=[old.results[0].model_copy(update={"kind": "score", "metric": name, "unit": name})],
        **changes,
    )


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize(
    "text",
    ["Quick", "A title of some usual words " * 8, "x" * 300, "深度学习的新方法" * 20, "👩‍👩‍👧 é́ \u200b" * 40, STEERING],
)
def test_no_line_is_wider_than_the_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], width: int, text: str
) -> None:
    told = drawn(monkeypatch, capsys, width, named(text), sample())
    assert max(cell_len(line) for line in told.split("\n")) <= width
    assert "3.2x speedup" in told
    # Columns have three lines a row at most, blocks two for each of six things.
    assert told.count("\n") <= 2 * 12 + 6


def test_nothing_in_a_paper_steers_the_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for width in (60, 200):
        told = drawn(monkeypatch, capsys, width, named(STEERING))
        assert not re.search(r"[^\n -~\u2026\u2500\ufffd·]", told)
        assert "[red]bold[/red]" in told


@pytest.mark.parametrize("width", [60, 80, 200])
def test_the_facts_of_a_paper_are_there(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], width: int
) -> None:
    told = " ".join(drawn(monkeypatch, capsys, width, sample("q1", title="Quick Networks")).split())
    for fact in ("Quick Networks", "QuickNet", "3.2x speedup", "+1.5", "ImageNet-1K", "linked"):
        assert fact in told
    assert ("q1" in told) is (width != 80)
    assert "q1" in drawn(monkeypatch, capsys, width, sample("q1")), "an id stands for a title that is not there"


def test_of_many_papers_the_first_are_shown_and_how_to_get_all(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    told = drawn(monkeypatch, capsys, 120, *[sample(f"paper-{n}") for n in range(SHOWN_PAPERS + 1234)])
    assert f"paper-{SHOWN_PAPERS - 1} " in told and f"paper-{SHOWN_PAPERS} " not in told
    assert told.splitlines()[-1].startswith("… and 1,234 more papers: -o papers.xlsx writes all of them")
    assert "… and 1 more paper:" in drawn(monkeypatch, capsys, 120, *[sample()] * (SHOWN_PAPERS + 1))
    assert "more" not in drawn(monkeypatch, capsys, 120, *[sample()] * SHOWN_PAPERS)


def result(kind: str, value: float, **changes: Any) -> Result:
    old = sample().results[1]
    return old.model_copy(update={"kind": kind, "value": value, "metric": None, "unit": "percent", **changes})


def test_the_best_numbers_come_first_and_each_sort_once() -> None:
    told = best_numbers(
        [
            result("size", 12_000_000.0, unit=None, metric="parameters"),
            result("score", 80.0, metric="accuracy", subject="BarNet"),
            result("score", 93.5, metric="accuracy"),
            result("score", 95.0, metric="accuracy"),
            result("reduction", 40.0, metric="latency", qualifier="up_to"),
            result("reduction", 2.0, metric="memory", unit="x"),
            result("gain", 1.5, high=3.0, unit="points", metric="F1", qualifier="approx"),
            result("speedup", 3.2, unit="x", metric="inference"),
            result("gain", 7.0),
        ]
    )
    assert told == [
        "3.2x speedup", "~+1.5–3 points F1", "+7%", "up to −40% latency", "2x memory reduction", "95% accuracy",
        "12,000,000 parameters", "80% accuracy",
    ]  # fmt: skip


# --- on a terminal


def on_a_terminal(width: int, *arguments: str, **environment: str) -> str:
    """What a terminal of ``width`` cells is sent."""
    pty = pytest.importorskip("pty", reason="there are no pseudo-terminals here")
    fcntl, termios = pytest.importorskip("fcntl"), pytest.importorskip("termios")
    leader, follower = pty.openpty()
    fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 40, width, 0, 0))
    given = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR")}
    command = [sys.executable, "-m", "extractor", "extract", "-q", *arguments]
    done = subprocess.Popen(command, stdout=follower, env={**given, "TERM": "xterm-256color", **environment})
    os.close(follower)
    told = b""
    try:
        while piece := os.read(leader, 65536):
            told += piece
    except OSError:
        pass  # the other end is closed
    os.close(leader)
    assert done.wait(timeout=60) == 0
    return told.decode()


def test_without_an_output_a_terminal_gets_the_table_in_colour(tmp_path: Path) -> None:
    source = tmp_path / "in.jsonl"
    text = f"{STEERING} We propose FooNet, which is 3.2x faster than BarNet."
    source.write_text(json.dumps({"title": STEERING, "text": text}) + "\n", "utf-8")
    told = on_a_terminal(80, str(source), str(FIXTURES / "papers.jsonl"))
    lines = SEQUENCE.sub("", told).split("\r\n")
    assert lines[0].split() == ["paper", "proposes", "reports", "datasets", "code"]
    assert 75 <= max(map(cell_len, lines)) <= 80
    assert "\x1b[36mFoldNet" in told
    assert set(SEQUENCE.findall(told)) <= {f"\x1b[{code}m" for code in ("0", "1", "2", "1;2", "32", "33", "35", "36")}
    assert "\x1b" not in SEQUENCE.sub("", told) and "\x9b" not in told


@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_colours_can_be_left_out(environment: dict[str, str]) -> None:
    told = on_a_terminal(120, str(FIXTURES / "papers.jsonl"), **environment)
    assert "FoldNet" in told and "\x1b[3" not in told
    if "TERM" in environment:
        assert "\x1b" not in told


def test_a_terminal_without_the_characters_gets_others() -> None:
    told = on_a_terminal(60, str(FIXTURES / "papers.jsonl"), PYTHONIOENCODING="ascii", TERM="dumb")
    assert "FoldNet" in told and told.isascii()
