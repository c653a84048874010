"""The command line in the hands of a careless or hostile user: one line, the right exit code, nothing lost."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from record_samples import ABSTRACT

from extractor.run.local import interrupts_held

EXTRACTOR = [sys.executable, "-m", "extractor"]


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / "page.txt"
    path.write_text(f"Papers 2026\n\n{ABSTRACT}\n", "utf-8")
    return path


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["-o", "/"], "cannot be an output"),
        (["-o", ""], "the output has no name"),
        (["-o", "x" * 300 + ".csv"], "name too long"),
        (["--encoding", "base64"], "there is no encoding"),
        (["--encoding", "punycode"], "cannot be read as punycode"),
    ],
)
def test_what_cannot_be_done_is_told_on_one_line(page: Path, arguments: list[str], said: str) -> None:
    done = subprocess.run([*EXTRACTOR, "extract", page, *arguments], capture_output=True, text=True)
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stderr.count("\n") == 1 and "unexpected" not in done.stderr


@pytest.mark.parametrize("name", ["", "x" * 300 + ".txt"])
def test_an_impossible_input_costs_only_itself(page: Path, tmp_path: Path, name: str) -> None:
    out = tmp_path / "out.jsonl"
    done = subprocess.run([*EXTRACTOR, "extract", name, page, "-o", out], capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert out.read_text().count("\n") == 1


@pytest.mark.skipif(os.name != "posix", reason="a POSIX shell closes the streams")
@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&-"])
def test_closed_standard_streams_do_not_matter_to_a_file(page: Path, tmp_path: Path, closed: str) -> None:
    command = f'"{sys.executable}" -m extractor extract "{page}" -o "{tmp_path}/out.csv" {closed}'
    assert subprocess.run(["/bin/sh", "-c", command]).returncode == 0
    assert (tmp_path / "out.csv").exists()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device here")
def test_a_full_disk_behind_standard_output_is_told(page: Path) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run([*EXTRACTOR, "extract", page], stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1 and "unexpected" not in done.stderr


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_ctrl_c_does_not_reach_a_worker_that_is_only_starting() -> None:
    blocked = "import signal; print(signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, []))"
    with interrupts_held():
        begun = subprocess.run([sys.executable, "-c", blocked], capture_output=True, text=True)
    after = subprocess.run([sys.executable, "-c", blocked], capture_output=True, text=True)
    assert (begun.stdout, after.stdout) == ("True\n", "False\n")
