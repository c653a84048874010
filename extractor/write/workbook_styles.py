"""How the cells of a workbook look."""

from __future__ import annotations

from dataclasses import dataclass

from xlsxwriter import Workbook
from xlsxwriter.format import Format as CellFormat

Styles = dict[str, CellFormat]


@dataclass(frozen=True, slots=True)
class Band:
    """A range of confidences and its colour: from ``low`` up to, but without, ``high``."""

    low: float
    high: float
    colour: str
    meaning: str

    @property
    def label(self) -> str:
        return f"confidence {self.low:g} and more" if self.high > 1 else f"confidence under {self.high:g}"


# Orange, yellow and blue differ in lightness too, and stay apart for those who do not tell red from green; black text
# is readable on each. Bands and not a gradient, because a sheet can be filtered by a colour.
BANDS = (
    Band(0, 0.5, "#F6B48F", "More often wrong than right."),
    Band(0.5, 0.8, "#FFEDB3", "Worth a look: one in two to one in five may be wrong."),
    Band(0.8, 1.01, "#DDEBF7", "One in five or fewer may be wrong. Only the confidence is coloured."),
)

BASE = {"valign": "top"}
LOOKS: dict[str, dict[str, object]] = {
    "header": {"bold": True, "bottom": 1, "bg_color": "#E8EEF4"},
    "plain": {},
    "wide": {"text_wrap": True},
    "link": {"font_color": "#0563C1", "underline": 1},
    "grouped": {"num_format": "#,##0"},
    "confidence": {"num_format": "0.000"},
    # Text that looks like a formula carries the mark Excel gives to what is typed after an apostrophe.
    "plain text": {"quote_prefix": True},
    "wide text": {"text_wrap": True, "quote_prefix": True},
    "title": {"bold": True, "font_size": 16},
    "heading": {"bold": True, "font_size": 12},
    "remark": {"font_color": "#595959"},
    "header right": {"bold": True, "bottom": 1, "bg_color": "#E8EEF4", "align": "right"},
}


def make_styles(book: Workbook) -> Styles:
    """The formats of ``book`` by name; those of ``BANDS`` by their label."""
    styles = {name: book.add_format(BASE | look) for name, look in LOOKS.items()}
    return styles | {band.label: book.add_format(BASE | {"bg_color": band.colour}) for band in BANDS}
