"""The errors a user meets, each a message of one line that says what to do."""

from __future__ import annotations


class ExtractorError(Exception):
    """Something that cannot be done as asked; the message is for the user."""


class UsageError(ExtractorError):
    """The request makes no sense as it stands."""


class InputError(ExtractorError):
    """An input cannot be read at all."""


class WriteError(ExtractorError):
    """An output cannot be written."""


class RunError(ExtractorError):
    """A run cannot go on."""


class ModelError(ExtractorError):
    """The weights of the model are not there, or not what they should be."""
