"""An output appears whole or not at all: it is written beside its place and moved there at the end.

A run that breaks off leaves what it had under another name (``out.partial.jsonl``), and the place as it was.
Devices and pipes (``/dev/null``) are written as they are.
"""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from extractor.errors import WriteError


class Staging:
    """Where an output is written until it is whole. ``path`` is that place.

    ``companions`` are what is added to the name of the output for files that belong to an older one in its place,
    and that would be read together with the new one. They go when it comes.
    """

    def __init__(self, target: Path, *, folder: bool = False, companions: tuple[str, ...] = ()) -> None:
        # A link keeps pointing where it points: what it leads to is replaced.
        self.target = Path(os.path.realpath(target))
        self.folder = folder
        self.companions = companions
        self.direct = self.target.exists() and not (self.target.is_file() or self.target.is_dir())
        self._refuse()
        if self.direct:
            self.path = self.target
            return
        self.path = self.target.with_name(f".{self.target.name[:80]}.{secrets.token_hex(4)}.tmp")
        if folder:
            self.path.mkdir(parents=True)
        else:
            os.close(os.open(self.path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
            if self.target.exists():
                self.path.chmod(self.target.stat().st_mode & 0o777)

    def _refuse(self) -> None:
        if not self.target.name:
            raise WriteError(f"{self.target} cannot be an output: give a name in it")
        if self.folder and self.target.exists() and not self.target.is_dir():
            raise WriteError(f"{self.target} is a file, not a folder: choose another name for the output")
        if not self.folder and self.target.is_dir():
            raise WriteError(f"{self.target} is a folder: end the name with / to write a folder of tables")
        if not self.folder and not self.target.parent.is_dir():
            raise WriteError(f"there is no folder {self.target.parent}: make it, or choose another output")
        if self.target.exists() and not os.access(self.target, os.W_OK):
            raise WriteError(f"{self.target} may not be written: change its permissions, or choose another output")

    def copy(self, names: Iterable[str]) -> bool:
        """Begin with what is in the place, of a folder with the files called ``names``; whether anything is there."""
        if self.folder:
            pairs = [(self.target / name, self.path / name) for name in names]
        else:
            pairs = [] if self.direct else [(self.target, self.path)]
        there = [(old, new) for old, new in pairs if old.is_file() and old.stat().st_size]
        for old, new in there:
            shutil.copyfile(old, new)
        return bool(there)

    def commit(self) -> None:
        """Move what was written to its place."""
        if self.direct:
            return
        if not self.folder:
            _sync(self.path)
            self._move(self.target)
        else:
            self.target.mkdir(parents=True, exist_ok=True)
            files = sorted(self.path.iterdir())
            for file in files:
                _sync(file)
            # Files of two states lie side by side meanwhile, so nothing slow stands between.
            for file in files:
                file.replace(self.target / file.name)
            self.path.rmdir()
            _sync(self.target)
        _sync(self.target.parent)

    def keep(self) -> Path:
        """Leave what was written under a free name beside the place, and say which."""
        if self.direct:
            return self.target
        stem, dot, suffixes = self.target.name.partition(".") if not self.folder else (self.target.name, "", "")
        number = 1
        while True:
            mark = "partial" if number == 1 else f"partial-{number}"
            kept = self.target.with_name(f"{stem}.{mark}{dot}{suffixes}")
            if not kept.exists():
                self._move(kept)
                return kept
            number += 1

    def _move(self, place: Path) -> None:
        for ending in self.companions:
            place.with_name(place.name + ending).unlink(missing_ok=True)
        self.path.replace(place)

    def discard(self) -> None:
        """Leave nothing."""
        if self.direct:
            return
        if self.folder:
            shutil.rmtree(self.path, ignore_errors=True)
        else:
            self.path.unlink(missing_ok=True)


@contextmanager
def replacing(target: Path) -> Iterator[BinaryIO]:
    """A stream whose file takes the place of ``target`` at the end; nothing of it is left when that breaks off.

    Raises ``WriteError`` when it cannot be written.
    """
    try:
        staging = Staging(target)
        try:
            with staging.path.open("wb") as stream:
                yield stream
            staging.commit()
        except BaseException:
            staging.discard()
            raise
    except BrokenPipeError:
        raise
    except OSError as error:
        raise WriteError(f"{target}: cannot be written: {error.strerror or error}") from error


def _sync(path: Path) -> None:
    """Have the system put ``path`` on disk; folders cannot be synced everywhere."""
    try:
        handle = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    except OSError:
        return
    try:
        os.fsync(handle)
    except OSError:
        if path.is_file():
            raise
    finally:
        os.close(handle)
