"""The command line in the hands of a careless or hostile user: one line, the right exit code, nothing lost."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from outputs import write
from record_samples import ABSTRACT, sample
from test_cli import call

from extractor import record_files
from extractor.run.local import interrupts_held
from extractor.write import Output

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


# --- outputs that cannot be finished


@pytest.fixture
def records(tmp_path: Path) -> Path:
    path = tmp_path / "records.jsonl"
    write(path, *(sample(f"paper-{n}") for n in range(40)))
    return path


@pytest.mark.skipif(os.name != "posix", reason="the size of files is limited as POSIX does")
@pytest.mark.parametrize("name", ["out.xlsx", "out.sqlite", "out.jsonl", "out.csv.gz", "out/", "page.html"])
@pytest.mark.parametrize("share", [0.1, 0.6, 0.97])
def test_a_full_disk_is_told_on_one_line_and_leaves_what_was_there(
    tmp_path: Path, records: Path, name: str, share: float
) -> None:
    import resource

    command = "report" if name == "page.html" else "export"
    out, parts = tmp_path / "there" / name, tmp_path / "parts"
    out.parent.mkdir()
    parts.mkdir()
    assert call(command, records, "-o", f"{out}/" if name == "out/" else out).exit_code == 0
    before = {file: file.read_bytes() for file in out.parent.rglob("*") if file.is_file()}
    room = int(share * max(map(len, before.values())))
    done = subprocess.run(
        [*EXTRACTOR, command, records, "-o", f"{out}/" if name == "out/" else out],
        capture_output=True,
        text=True,
        env={**os.environ, "TMPDIR": str(parts)},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (room, room)),
    )
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1 and "cannot be written" in done.stderr, done.stderr
    assert {file: file.read_bytes() for file in out.parent.rglob("*") if file.is_file()} == before
    assert not list(parts.iterdir())


@pytest.mark.parametrize("command", ["export", "correct"])
def test_what_an_interrupted_run_keeps_is_told(
    tmp_path: Path, records: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    write(tmp_path / "results.csv", sample("paper-0"))
    read = record_files.read_records
    times: list[str] = []

    def interrupted(path: str) -> Iterator[Any]:
        times.append(path)
        entries = read(path)
        if command == "export" or len(times) == 2:  # correct looks through the records first
            yield next(entries)
            raise KeyboardInterrupt
        yield from entries

    module = "extractor.record_files" if command == "export" else "extractor.correct.run"
    monkeypatch.setattr(f"{module}.read_records", interrupted)
    edited = [tmp_path / "results.csv"] if command == "correct" else []
    told = call(command, records, *edited, "-o", tmp_path / "out.jsonl")
    kept = tmp_path / "out.partial.jsonl"
    assert told.exit_code == 130 and f"what was done so far is in {kept}\n" in told.stderr
    assert kept.read_text("utf-8").count("\n") == 1 and not (tmp_path / "out.jsonl").exists()


def test_an_output_that_is_interrupted_at_its_very_end_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = Output(f"{tmp_path}/tables/")
    with pytest.raises(SystemExit), out:
        out.add(sample())
        monkeypatch.setattr(out.sink, "close", lambda: sys.exit(143))
    assert not list(tmp_path.iterdir())


# --- files that are none of records, and places that are none


@pytest.mark.parametrize("command", ["export", "report", "validate"])
@pytest.mark.parametrize(("name", "said"), [("t.xlsx", "a ZIP archive or an Office file"), ("t.db", "a database")])
def test_files_that_are_no_records_are_told_on_one_line(tmp_path: Path, command: str, name: str, said: str) -> None:
    write(tmp_path / name, sample())
    place = ["-o", tmp_path / "o.csv"] if command != "validate" else []
    told = call(command, tmp_path / name, *place)
    assert told.exit_code == 2 and f"{name}: is {said}: give records" in told.stderr
    assert told.stderr.count("\n") == 1 and not (tmp_path / "o.csv").exists()


@pytest.mark.parametrize("end", ["", "/"])
def test_a_page_cannot_be_a_folder(tmp_path: Path, records: Path, end: str) -> None:
    told = call("report", records, "-o", f"{tmp_path}{end}")
    assert told.exit_code == 2 and f"is a folder: give a name in it, such as {tmp_path / 'page.html'}" in told.stderr
