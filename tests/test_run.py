"""Runs: the same records for any workers, chunks and order of files; no abstract ends a run."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from record_samples import ABSTRACT

from extractor import Extractor
from extractor.errors import UsageError
from extractor.read import Item, Problem
from extractor.records import PaperRecord, Source
from extractor.run import Inputs, Tally, local, run

TEXTS = [ABSTRACT.replace("QuickNet", f"QuickNet-{n}").replace("3.2", f"{n}.5") for n in range(1, 12)]


def items(texts: list[str] = TEXTS) -> Iterator[Item]:
    for n, text in enumerate(texts):
        yield Item(f"paper-{n}", text, extra={"n": n, "score": 0.5}, source=Source(file="a.txt", index=n, line=n + 1))


def dumped(outcomes: Iterator[PaperRecord | Problem]) -> list[str]:
    return [made.model_dump_json() if isinstance(made, PaperRecord) else repr(made) for made in outcomes]


@pytest.fixture(scope="module")
def alone() -> list[str]:
    """Each text by an extractor of its own."""
    return [line for item in items() for line in dumped(run([item]))]


@pytest.mark.parametrize("chunk", [1, 2, 3, 100])
def test_records_are_the_same_for_any_size_of_chunk(alone: list[str], chunk: int) -> None:
    assert dumped(run(items(), chunk=chunk)) == alone


def test_records_are_the_same_in_several_processes_and_stay_in_order(alone: list[str]) -> None:
    assert dumped(run(items(), workers=2, chunk=2)) == alone


def test_the_stream_of_an_extractor_gives_the_same_records(alone: list[str]) -> None:
    piped = Extractor().pipe(
        {"abstract": i.abstract, "id": i.id, "extra": i.extra, "source": i.source} for i in items()
    )
    assert [record.model_dump_json() for record in piped] == alone


@settings(deadline=None, max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.text(st.characters(exclude_categories=["Cs"]), min_size=1), min_size=1, max_size=6), st.integers(1, 4)
)
def test_any_texts_give_the_same_bytes_for_any_chunk(texts: list[str], chunk: int) -> None:
    assert dumped(run(items(texts), chunk=chunk)) == dumped(run(items(texts), chunk=100))


def test_what_fails_is_a_problem_in_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    extract = Extractor.extract

    def fail(self: Extractor, abstract: str, **options: object) -> PaperRecord:
        if "QuickNet-3" in abstract:
            raise RuntimeError("cannot\nread this")
        return extract(self, abstract, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(Extractor, "extract", fail)
    outcomes = list(run(items(), chunk=4))
    failed = outcomes[2]
    assert isinstance(failed, Problem)
    assert (failed.file, failed.line, failed.index, failed.id, failed.severity) == ("a.txt", 3, 2, "paper-2", "error")
    assert failed.message.startswith("no record was made: RuntimeError: cannot read this (test_run.py:")
    assert sum(isinstance(made, PaperRecord) for made in outcomes) == len(TEXTS) - 1


def test_an_abstract_too_long_to_read_is_a_problem_that_says_so() -> None:
    (outcome,) = run([Item("book", ABSTRACT * 7000, source=Source(file="a.txt", line=9))])
    assert isinstance(outcome, Problem) and (outcome.severity, outcome.line) == ("error", 9)
    assert "at most 1,000,000 can be read" in outcome.message


def test_problems_of_the_input_keep_their_place() -> None:
    first, second = list(items())[:2]
    problem = Problem("a.txt", 2, 1, None, "bad line")
    for workers in (1, 2):
        outcomes = list(run([first, problem, second], workers=workers, chunk=1))
        assert [type(made) for made in outcomes] == [PaperRecord, Problem, PaperRecord]


def test_an_id_met_before_is_a_warning_and_changes_no_record() -> None:
    one = Item("same", TEXTS[0], source=Source(file="a.txt", line=1))
    other = Item("same", TEXTS[1], source=Source(file="b.txt", line=7))
    first, second, warning = run([one, other])
    assert isinstance(first, PaperRecord) and isinstance(second, PaperRecord) and isinstance(warning, Problem)
    assert warning.severity == "warning" and (warning.file, warning.line, warning.id) == ("b.txt", 7, "same")
    assert warning.message == "the id same was met before, at a.txt:1; both records are kept"
    assert dumped(run([other])) == [second.model_dump_json()]


def test_a_run_that_is_left_early_ends_its_workers() -> None:
    outcomes = run(items(), workers=2, chunk=1)
    assert isinstance(next(outcomes), PaperRecord)
    outcomes.close()


def test_the_extractor_is_made_once_for_a_process() -> None:
    assert local._extractor() is local._extractor()


# --- inputs


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    for name, texts in (("a.jsonl", TEXTS[:2]), ("b.jsonl", TEXTS[2:4])):
        (tmp_path / name).write_text("".join(json.dumps({"abstract": text}) + "\n" for text in texts))
    return [str(tmp_path / "a.jsonl"), str(tmp_path / "b.jsonl")]


def test_records_do_not_depend_on_the_order_of_files(files: list[str]) -> None:
    one, other = dumped(run(Inputs(files))), dumped(run(Inputs(files[::-1])))
    assert one == other[2:] + other[:2]


def test_a_file_given_twice_is_read_once(files: list[str], tmp_path: Path) -> None:
    (tmp_path / "link.jsonl").symlink_to(files[0])
    made = list(Inputs([files[0], str(tmp_path / "link.jsonl"), files[0]]))
    assert sum(isinstance(item, Item) for item in made) == 2
    assert [item.message for item in made if isinstance(item, Problem)] == ["given twice, and read once"] * 2


def test_an_input_that_cannot_be_read_is_a_problem_among_the_others(files: list[str]) -> None:
    inputs = Inputs(["missing.jsonl", *files])
    first, *rest = inputs
    assert isinstance(first, Problem) and first.severity == "error" and first.file == "missing.jsonl"
    assert all(isinstance(item, Item) for item in rest) and len(rest) == 4
    assert inputs.unreadable == ["missing.jsonl"]


def test_a_wrong_option_is_told_before_anything_is_read() -> None:
    with pytest.raises((UsageError, ValueError), match="no input format 'sheet'"):
        Inputs(["missing.jsonl"], input_format="sheet")


def test_the_total_is_known_for_files_only(files: list[str]) -> None:
    assert Inputs(files).total() == 4
    assert Inputs([*files, "-"]).total() is None


def test_a_tally_counts_what_was_found(files: list[str]) -> None:
    tally = Tally()
    for outcome in run(Inputs(files)):
        assert isinstance(outcome, PaperRecord)
        tally.add(outcome)
    tally.add_problem(Problem(None, None, None, None, "x", "warning"))
    tally.add_problem(Problem(None, None, None, None, "x", "error"))
    assert (tally.papers, tally.warnings, tally.errors) == (4, 1, 1)


def test_an_unreadable_input_is_named_once_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "deep.json"
    path.write_text("[" + "\n[" * 100_000)
    (problem,) = Inputs([str(path)])
    assert isinstance(problem, Problem)
    assert (problem.file, problem.line) == (str(path), 2)
    assert problem.message.startswith("not JSON")
