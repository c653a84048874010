"""Running the extractor over many abstracts."""

from extractor.run.inputs import Inputs
from extractor.run.local import run
from extractor.run.tally import Tally

__all__ = ["Inputs", "Tally", "run"]
