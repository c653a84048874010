"""The tables in extractor/rules: well formed, and what the code asks of them is there.

A row that is broken by a missing tab, or a kind that is misspelt, is no error when it is read: it is a rule that never
acts. These tests find it.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, get_args

import pytest

import extractor
from extractor import rules
from extractor.find.links import KINDS as LINK_KINDS
from extractor.markup_commands import KINDS as MACRO_KINDS
from extractor.markup_writer import STYLES
from extractor.records import LinkKind, MethodRole, Qualifier
from extractor.relate.clause import CLASSES

CODE = Path(extractor.__file__).parent
RULES = CODE / "rules"

# Table → header, and how many of its columns a row must have; later cells may be left out when they are empty.
TABLES = {
    "common_abbreviations": (("kind", "long form", "short form", "abstracts"), 3),
    "dataset_aliases": (("alias", "canonical", "reason"), 3),
    "datasets": (("name", "canonical", "domain", "aliases", "flags"), 3),
    "methods_known": (("name", "kind", "full name or example"), 2),
    "metrics": (("metric", "better", "family", "head"), 3),
    "name_cues": (("kind", "word", "example"), 2),
    "name_rules": (("role", "rule", "confidence", "meaning", "rank"), 5),
    "not_methods": (("kind", "name", "reason"), 2),
    "role_cues": (("kind", "word", "example"), 2),
    "techniques": (("name", "note"), 1),
    "units": (("surface", "unit", "form", "tight"), 3),
}
# The columns that tell a row from the others.
KEYS = {
    "common_abbreviations": (1, 2), "dataset_aliases": (0,), "datasets": (0,), "methods_known": (0,), "metrics": (0,),
    "name_cues": (0, 1),
    "name_rules": (0, 1), "not_methods": (1,), "role_cues": (0, 1), "techniques": (0,), "units": (0,),
}  # fmt: skip
METHOD_GROUPS = frozenset(
    "architecture classic llm optimiser diffusion vlm rl prompting_agents peft_quant graph more mined".split()
)
TOML = sorted(file.stem for file in RULES.glob("*.toml"))


@cache
def lines(name: str) -> tuple[tuple[int, tuple[str, ...]], ...]:
    """Line number and cells, as written, of all lines that are no comment."""
    text = (RULES / f"{name}.tsv").read_text(encoding="utf-8")
    kept = ((n, line) for n, line in enumerate(text.split("\n"), 1) if line.strip() and not line.startswith("#"))
    return tuple((n, tuple(line.split("\t"))) for n, line in kept)


def column(name: str, header: str) -> list[str]:
    return [row[header] for row in rules.tsv(name)]


# --- the shape of the tables


def test_every_table_is_looked_at_here() -> None:
    assert {file.stem for file in RULES.glob("*.tsv")} == {*TABLES, "markup_macros"}
    assert {file.suffix for file in RULES.iterdir() if file.is_file()} == {".py", ".toml", ".tsv"}


@pytest.mark.parametrize("name", TABLES)
def test_rows_have_the_columns_of_the_header(name: str) -> None:
    header, needed = TABLES[name]
    (_, first), *body = lines(name)
    assert first == header
    assert [n for n, cells in body if not needed <= len(cells) <= len(header)] == [], "lines with too few or many cells"
    filled = [i for i, title in enumerate(header[:needed]) if title != "rank"]
    assert [n for n, cells in body if not all(cells[i] for i in filled)] == [], "lines with an empty cell"


@pytest.mark.parametrize("name", TABLES)
def test_cells_hold_no_stray_space(name: str) -> None:
    bad = [n for n, cells in lines(name) for cell in cells if cell != cell.strip() or "  " in cell or "\r" in cell]
    assert bad == []


@pytest.mark.parametrize("name", TABLES)
def test_no_row_is_there_twice(name: str) -> None:
    found = Counter(tuple(cells[i] for i in KEYS[name]) for _, cells in lines(name))
    assert [key for key, count in found.items() if count > 1 and key != ("metric",)] == []


@pytest.mark.parametrize("name", TABLES)
def test_both_readers_see_every_row(name: str) -> None:
    body = lines(name)[1:]
    assert len(rules.rows(name)) == len(rules.tsv(name)) == len(body)
    assert all(set(row) == set(TABLES[name][0]) for row in rules.tsv(name))


# --- what the cells may say


def test_units_have_a_known_form() -> None:
    assert set(column("units", "form")) <= {"percent", "points", "factor", "quantity"}
    assert set(column("units", "tight")) <= {"", "yes"}


def test_metrics_have_a_known_direction_and_family() -> None:
    assert set(column("metrics", "better")) <= {"higher", "lower", "-"}
    assert set(column("metrics", "family")) <= {"quality", "error", "time", "throughput", "cost"}
    assert set(column("metrics", "head")) <= {"", "head"}
    assert [metric for metric in column("metrics", "metric") if metric != metric.lower()] == []


def test_datasets_have_known_flags_and_a_domain() -> None:
    rows = rules.tsv("datasets")
    assert {flag for row in rows for flag in row["flags"].split()} <= {"context", "year", "exact"}
    assert [row["name"] for row in rows if not re.fullmatch(r"[a-z0-9]+(?:\.[a-z0-9_-]+)*", row["domain"])] == []
    assert [row["name"] for row in rows if row["aliases"] and not all(row["aliases"].split("|"))] == []


def test_names_that_are_no_methods_are_hard_or_soft() -> None:
    assert set(column("not_methods", "kind")) == {"hard", "soft"}


def test_known_methods_have_a_known_kind() -> None:
    assert set(column("methods_known", "kind")) <= METHOD_GROUPS


def test_common_abbreviations_are_counted() -> None:
    assert set(column("common_abbreviations", "kind")) == {"common"}
    assert all(count.isdecimal() for count in column("common_abbreviations", "abstracts"))


def test_rules_of_names_have_a_confidence_and_an_order() -> None:
    rows = rules.tsv("name_rules")
    assert {row["role"] for row in rows} == set(get_args(MethodRole))
    assert all(0 < float(row["confidence"]) <= 1 for row in rows)
    ranks = [int(row["rank"]) for row in rows if row["rank"]]
    assert sorted(ranks) == list(range(1, len(ranks) + 1))
    asked = literals("find/names.py") | literals("find/names_cues.py") | literals("find/roles.py")
    spelt = {row["rule"] for row in rows if not row["rule"].startswith("spelt.")}
    assert spelt - asked == set(), "rules that no code names"


def test_macros_have_a_kind_the_code_can_do_and_a_value_it_can_use() -> None:
    rows = lines("markup_macros")
    assert [n for n, cells in rows if not 3 <= len(cells) <= 4 or not cells[0]] == []
    assert [cells[0] for cells, count in Counter((cells[0],) for _, cells in rows).items() if count > 1] == []
    for n, (_, kind, value, *_rest) in rows:
        assert kind in MACRO_KINDS, f"line {n}"
        assert kind != "style" or value in STYLES, f"line {n}"
        assert kind != "accent" or chr(int(value, 16)), f"line {n}"
        assert kind != "skip" or value.isdecimal(), f"line {n}"


# --- kinds that the code asks for


@cache
def tree(module: str) -> ast.Module:
    return ast.parse((CODE / module).read_text(encoding="utf-8"))


@cache
def literals(module: str) -> frozenset[str]:
    """All strings written in a module of the extractor."""
    nodes = ast.walk(tree(module))
    return frozenset(node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str))


def strings(node: ast.expr | None) -> list[str]:
    """The strings of a literal, or of a tuple of them."""
    parts = node.elts if isinstance(node, ast.Tuple) else [node]
    return [part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)]


def asked_kinds() -> Iterator[tuple[str, str, str]]:
    """Module, table and kind of every ``terms(table, kind)`` in the code, loops over kinds unrolled."""
    for path in sorted(CODE.rglob("*.py")):
        module = str(path.relative_to(CODE))
        bound: dict[str, list[str]] = {}
        calls = []
        for node in ast.walk(tree(module)):
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                bound.setdefault(node.targets[0].id, []).extend(strings(node.value))
            elif isinstance(node, ast.For | ast.comprehension) and isinstance(node.target, ast.Name):
                bound.setdefault(node.target.id, []).extend(strings(node.iter))
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "terms":
                calls.append(node.args)
        for args in calls:
            tables, kinds = (bound.get(a.id, []) if isinstance(a, ast.Name) else strings(a) for a in args)
            assert tables and kinds, f"{module}: which table and kinds are asked for cannot be read off the code"
            yield from ((module, table, kind) for table in tables for kind in kinds)


def test_the_kinds_of_word_lists_are_those_the_code_asks_for() -> None:
    asked = list(asked_kinds())
    for name in ("name_cues", "role_cues", "not_methods"):
        assert set(column(name, "kind")) == {kind for _, table, kind in asked if table == name}, name
    assert {table for _, table, _ in asked} == {"name_cues", "role_cues", "not_methods"}


# --- TOML


def test_every_file_parses_and_holds_only_words_numbers_and_lists() -> None:
    def check(value: Any, place: str) -> None:
        if isinstance(value, dict):
            assert value, place
            for key, inner in value.items():
                check(inner, f"{place}.{key}")
        elif isinstance(value, list):
            assert value and all(isinstance(word, str) and word.strip() for word in value), place
        else:
            assert (isinstance(value, str) and value.strip()) or isinstance(value, float), place

    for name in TOML:
        check(rules.toml(name), name)


# Table → the modules that read it, and how they ask for a key.
LOOP = r"for k in\s*\(([^()]*)\)"
ASKED: dict[str, tuple[tuple[str, ...], str]] = {
    "code_status": (("relate/code_status.py",), LOOP),
    "counts": (("relate/counts.py",), r'(?:rules|table\(\))\["(\w+)"\]'),
    "settings": (("relate/classify.py", "relate/results.py"), r'(?:rules|settings\(\))\["(\w+)"\]'),
    "cues": (
        ("relate/clause.py", "relate/owners.py", "relate/scene.py", "relate/subjects.py", "relate/ties.py"),
        r'toml\("cues"\)\["(\w+)"\]',
    ),
    "cues.boundary": (("relate/clause.py",), r'\["boundary"\]\["(\w+)"\]'),
    "cues.vocabulary": (("relate/reading.py", "relate/view.py", "relate/ties.py"), r'vocabulary\("(\w+)"\)'),
    "cues.ties": (("relate/ties.py",), r'_table\("(\w+)"\)'),
    "cues.subjects": (("relate/subjects.py",), r'\btable\("(\w+)"\)'),
    "cues.scene": (("relate/scene.py",), r'(?<![.\w])table\("(\w+)"\)'),
    "cues.owners": (("relate/owners.py",), r'_table\("(\w+)"\)'),
    "dataset_cues": (
        ("find/datasets.py", "find/datasets_context.py", "find/datasets_lexicon.py", "find/datasets_units.py"),
        rf'(?:toml\("dataset_cues"\)|\bt|\btable)\["(\w+)"\]|{LOOP}',
    ),
    "unquantified": (("relate/unquantified.py",), r"for name in\s*\(([^()]*)\)"),
    "links": (("find/links.py",), r'toml\("links"\)\["(\w+)"\]'),
    "links.schemeless": (("find/links.py",), LOOP),
    "qualifiers": (("find/numbers.py",), r'\btable\["(\w+)"\]'),
    "sentences": (("find/sentences.py",), r'_WORDS\["(\w+)"\]'),
    "result_confidence": (("relate/confidence.py",), r'toml\("result_confidence"\)\["(\w+)"\]'),
}  # fmt: skip


def section(place: str) -> dict[str, Any]:
    name, *inner = place.split(".")
    found = rules.toml(name)
    for key in inner:
        found = found[key]
    return found


@pytest.mark.parametrize("place", ASKED)
def test_the_keys_the_code_reads_are_there(place: str) -> None:
    modules, pattern = ASKED[place]
    found = [m for module in modules for m in re.finditer(pattern, (CODE / module).read_text(encoding="utf-8"))]
    asked = {key for m in found for group in m.groups() if group for key in re.findall(r"\w+", group)}
    assert asked, f"the code asks for the keys of {place} in another way than it did"
    assert asked - section(place).keys() == set()


@pytest.mark.parametrize("place", [p for p in ASKED if p != "cues.boundary"])
def test_no_list_is_there_that_the_code_does_not_name(place: str) -> None:
    named = frozenset().union(*(literals(module) for module in ASKED[place][0]))
    assert section(place).keys() - named == set()


def test_every_file_is_looked_at_here() -> None:
    assert {place.split(".")[0] for place in ASKED} == set(TOML)


def test_sections_have_the_kinds_of_the_record() -> None:
    assert set(CLASSES) <= rules.toml("cues").keys()
    links = rules.toml("links")
    assert links["hosts"].keys() <= set(get_args(LinkKind))
    assert links["words"].keys() == set(LINK_KINDS)
    assert links["weak_on"].keys() <= links["hosts"].keys()
    assert {kind for kinds in links["weak_on"].values() for kind in kinds} <= set(LINK_KINDS)
    qualifiers = rules.toml("qualifiers")
    kinds = set(get_args(Qualifier)) - {"exact"}
    assert set(qualifiers["order"]) == kinds
    assert qualifiers["before"].keys() | qualifiers["after"].keys() <= kinds


def test_confidences_are_shares_and_every_dataset_rule_has_one() -> None:
    weights, confidence = rules.toml("dataset_cues")["weights"], rules.toml("dataset_cues")["confidence"]
    assert all(-1 <= weight <= 1 for weight in weights.values())
    assert {f"context.{sign}" for sign, weight in weights.items() if weight > 0} <= confidence.keys()
    assert all(0 < share <= 1 for share in confidence.values())


def test_lists_of_patterns_are_patterns() -> None:
    for found in (rules.toml("code_status"), rules.toml("links")["words"]):
        for row in (row for rows in found.values() for row in rows):
            re.compile(row)


# --- the loader


def broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, text: str) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.setattr(rules, "files", lambda _: tmp_path)


def test_a_broken_file_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken(tmp_path, monkeypatch, "broken-for-a-test.toml", "words = [\n  'one'\n  'two'\n]\n")
    with pytest.raises(ValueError, match=r"rules/broken-for-a-test\.toml: .*line 3"):
        rules.toml("broken-for-a-test")


def test_comments_and_empty_lines_are_no_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = "rows-for-a-test"
    broken(tmp_path, monkeypatch, f"{name}.tsv", "# about\nkind\tword\n\n# more\na\tone\nb\ttwo words\n")
    assert rules.rows(name) == (("a", "one"), ("b", "two words"))
    assert rules.tsv(name) == [{"kind": "a", "word": "one"}, {"kind": "b", "word": "two words"}]
    assert rules.terms(name, "b") == {"two words"}


def test_stems_and_phrases_become_forms_and_patterns() -> None:
    assert rules.words(["improv|e es", "drop|- s ped", "cut cuts"]) == {
        "improve", "improves", "drop", "drops", "dropped", "cut", "cuts",
    }  # fmt: skip
    assert re.fullmatch(rules.alternatives(["per", "per cent", "%"]), "per \n cent")


def test_the_rules_are_part_of_the_package() -> None:
    assert files("extractor.rules").joinpath("settings.toml").is_file()
