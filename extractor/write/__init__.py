"""Writing records: one file a format, and the registry in ``formats``."""

from extractor.write.formats import FORMATS, Format, choose_format
from extractor.write.output import Output, same_file

__all__ = ["FORMATS", "Format", "Output", "choose_format", "same_file"]
