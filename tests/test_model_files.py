"""What happens when files of the model are missing, cut or changed: one line that says what to do."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from damage import change, remove, truncate
from record_samples import ABSTRACT
from typer.testing import CliRunner, Result

from extractor import Extractor, model
from extractor.cli.application import app
from extractor.errors import ModelError
from extractor.model import PHRASES
from extractor.model.weights import FEATURES, META, WEIGHTS
from extractor.records import PaperRecord
from extractor.run import local


@pytest.fixture
def copy(tmp_path: Path) -> Iterator[Path]:
    """A copy of the model's folder that is used instead of it."""
    folder = tmp_path / "model"
    shutil.copytree(model.HERE, folder, ignore=shutil.ignore_patterns("__pycache__", "*.py"))
    cached: tuple[Any, ...] = (model.load, local._extractor)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(model.load.__wrapped__, "__defaults__", (folder,))
        for function in cached:
            function.cache_clear()
        yield folder
    for function in cached:
        function.cache_clear()


def empty(path: Path) -> None:
    path.write_bytes(b"")


def overwrite(text: str) -> Callable[[Path], None]:
    def act(path: Path) -> None:
        path.write_text(text, "utf-8")

    return act


def reword(**fields: Any) -> Callable[[Path], None]:
    """Meta data with other values."""

    def act(path: Path) -> None:
        path.write_text(json.dumps({**json.loads(path.read_text("utf-8")), **fields}), "utf-8")

    return act


def refused(act: Callable[[], object], path: Path) -> None:
    with pytest.raises(ModelError) as caught:
        act()
    message = str(caught.value)
    assert len(message.splitlines()) == 1
    assert str(path) in message and "--no-model" in message


@pytest.mark.parametrize("damage", [remove, empty, truncate])
@pytest.mark.parametrize("name", [META, FEATURES, WEIGHTS])
def test_a_missing_or_cut_file_is_told_in_one_line(copy: Path, name: str, damage: Callable[[Path], None]) -> None:
    damage(copy / name)
    refused(model.load, copy / name)
    refused(Extractor, copy / name)


@pytest.mark.parametrize("name", [FEATURES, WEIGHTS])
def test_a_single_changed_byte_is_told(copy: Path, name: str) -> None:
    change(copy / name)
    refused(model.load, copy / name)


@pytest.mark.parametrize("text", ["no JSON", "[]", '"text"', "{}", "null", '{"sha256": {}, "labels": 3}'])
def test_meta_data_of_another_kind_are_told(copy: Path, text: str) -> None:
    overwrite(text)(copy / META)
    refused(model.load, copy / META)


@pytest.mark.parametrize("sums", [None, "text", 7])
def test_checksums_of_another_kind_are_told(copy: Path, sums: object) -> None:
    reword(sha256=sums)(copy / META)
    refused(model.load, copy / META)


def test_weights_of_other_labels_are_told(copy: Path) -> None:
    reword(labels=["nothing", "method.proposed"])(copy / META)
    refused(model.load, copy / WEIGHTS)


def test_a_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    refused(lambda: model.load(tmp_path / "none"), tmp_path / "none" / META)


@pytest.mark.parametrize("heat", [0, -1, "hot", None])
def test_an_impossible_temperature_is_told(copy: Path, heat: object) -> None:
    reword(temperature=heat)(copy / META)
    refused(model.load, copy / META)


@pytest.mark.parametrize(
    "damage",
    [remove, overwrite("no archive"), empty, truncate, change],
    ids=["missing", "other", "empty", "cut", "bit"],
)
def test_missing_or_damaged_phrases_are_told_in_one_line(copy: Path, damage: Callable[[Path], None]) -> None:
    damage(copy / PHRASES)
    refused(model.load, copy / PHRASES)


@pytest.mark.parametrize("name", [WEIGHTS, PHRASES])
@pytest.mark.parametrize("damage", [overwrite("no archive"), empty, truncate])
def test_damage_under_a_right_checksum_is_told_too(copy: Path, name: str, damage: Callable[[Path], None]) -> None:
    damage(copy / name)
    sums = json.loads((copy / META).read_text("utf-8"))["sha256"]
    reword(sha256={**sums, name: hashlib.sha256((copy / name).read_bytes()).hexdigest()})(copy / META)
    refused(model.load, copy)


class Trap:
    """What a pickle could do while it is loaded."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Any, ...]:
        return Path.touch, (self.path,)


def test_a_pickle_in_a_file_of_the_model_is_never_run(copy: Path, tmp_path: Path) -> None:
    sprung = tmp_path / "sprung"
    buffer = BytesIO()
    trap = np.array([Trap(sprung)], dtype=object)
    np.savez(buffer, weights=trap, keys=trap, classes=trap)
    sums = json.loads((copy / META).read_text("utf-8"))["sha256"]
    for name in (WEIGHTS, PHRASES):
        (copy / name).write_bytes(buffer.getvalue())
        sums[name] = hashlib.sha256(buffer.getvalue()).hexdigest()
    reword(sha256=sums)(copy / META)
    with pytest.raises(ModelError):
        model.load()
    assert not sprung.exists()


# --- at the command line


def call(*arguments: object) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / "page.txt"
    path.write_text(f"{ABSTRACT}\n", "utf-8")
    return path


def complained(done: Result, path: Path) -> None:
    assert (done.exit_code, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith("extractor: ") and str(path) in line and "--no-model" in line


@pytest.mark.parametrize("command", ["extract", "explain"])
@pytest.mark.parametrize(
    ("name", "damage"), [(META, overwrite("{")), (FEATURES, change), (WEIGHTS, truncate), (WEIGHTS, remove)]
)
def test_a_damaged_model_ends_the_command_with_one_line(
    copy: Path, page: Path, command: str, name: str, damage: Callable[[Path], None]
) -> None:
    damage(copy / name)
    complained(call(command, page), copy / name)
    done = call(command, page, "--no-model")
    assert (done.exit_code, done.stderr) == (0, "") and "QuickNet" in done.stdout


@pytest.mark.parametrize("damage", [remove, truncate])
def test_damaged_phrases_end_the_command_with_one_line(copy: Path, page: Path, damage: Callable[[Path], None]) -> None:
    damage(copy / PHRASES)
    complained(call("extract", page), copy / PHRASES)


@pytest.mark.parametrize("damage", [remove, truncate])
def test_damaged_phrases_are_no_matter_without_the_model(
    copy: Path, page: Path, damage: Callable[[Path], None]
) -> None:
    damage(copy / PHRASES)
    done = call("extract", page, "--no-model")
    assert (done.exit_code, done.stderr) == (0, "")
    assert PaperRecord.model_validate_json(done.stdout).methods


def test_a_damaged_model_leaves_an_older_output_alone(copy: Path, page: Path, tmp_path: Path) -> None:
    (tmp_path / "out.jsonl").write_text("precious")
    truncate(copy / WEIGHTS)
    complained(call("extract", page, "-o", tmp_path / "out.jsonl"), copy / WEIGHTS)
    assert (tmp_path / "out.jsonl").read_text() == "precious"
    assert {path.name for path in tmp_path.iterdir()} == {"model", "out.jsonl", "page.txt"}
