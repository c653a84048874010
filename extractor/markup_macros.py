"""The table of LaTeX commands (``rules/markup_macros.tsv``): what a reader sees of each.

Kinds: ``style`` and ``group`` show their argument (a style also marks it as emphasis), ``switch`` acts to the end of
its group, ``sup`` and ``sub`` raise and lower it, ``skip`` hides that many arguments, ``skip1`` hides the first and
shows the rest, ``pair`` shows two arguments with its value between them, ``accent`` puts a combining mark on a letter,
``letter``, ``symbol``, ``approx`` and ``word`` stand for their value, ``space`` and ``break`` for white space. ``url``,
``href``, ``footnote``, ``second``, ``env``, ``item``, ``ding`` and ``sqrt`` are the commands they are named after.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import NamedTuple


class Macro(NamedTuple):
    """One command: its kind and value (text, emphasis kind, combining mark or number of arguments)."""

    kind: str
    value: str


@cache
def macros() -> dict[str, Macro]:
    """All commands by name, without the backslash."""
    table = {}
    for line in files("extractor.rules").joinpath("markup_macros.tsv").read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            name, kind, value = [*line.split("\t"), ""][:3]
            table[name] = Macro(kind, chr(int(value, 16)) if kind == "accent" else value)
    return table
