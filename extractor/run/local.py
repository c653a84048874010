"""Run the extractor over a stream of items on this machine, in one process or in several.

Records come out in the order of the items and are the same for any number of workers and any size of chunk. What
fails is a ``Problem`` in the place of its record; one abstract never ends a run.
"""

from __future__ import annotations

import gc
import signal
import traceback
from collections import deque
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import cache
from itertools import islice
from multiprocessing import get_context, resource_tracker
from pathlib import Path

from extractor.errors import RunError
from extractor.model import load
from extractor.model.choices import load_choices
from extractor.pipeline import Extractor
from extractor.read import Item, Problem
from extractor.records import PaperRecord

CHUNK = 64
# Chunks under way for each worker: enough to keep it busy, few enough to keep memory flat.
AHEAD = 3

Outcome = PaperRecord | Problem


def run(
    items: Iterable[Item | Problem], *, workers: int = 1, chunk: int = CHUNK, model: bool = True
) -> Generator[Outcome, None, None]:
    """A record, or a problem in its place, for each item; problems among the items are passed on.

    Without ``model`` the rules decide alone; with it a ``ModelError`` is raised at once when its weights are unusable.
    """
    if model:
        load()
        load_choices()
    chunks = _chunks(items, chunk)
    outcomes = _in_processes(chunks, workers, model) if workers > 1 else _here(chunks, model)
    return _watch_ids(outcomes)


def _chunks(items: Iterable[Item | Problem], size: int) -> Iterator[list[Item | Problem]]:
    stream = iter(items)
    while chunk := list(islice(stream, size)):
        yield chunk


def _here(chunks: Iterator[list[Item | Problem]], model: bool) -> Iterator[Outcome]:
    for chunk in chunks:
        yield from extract_chunk(_extractor(model), chunk)


def _in_processes(chunks: Iterator[list[Item | Problem]], workers: int, model: bool) -> Iterator[Outcome]:
    pool = ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=_leave_interrupts)
    waiting: deque[Future[list[str | Problem]]] = deque()
    try:
        for chunk in chunks:
            with interrupts_held():
                waiting.append(pool.submit(_work, chunk, model))
            if len(waiting) >= workers * AHEAD:
                yield from _received(waiting.popleft())
        while waiting:
            yield from _received(waiting.popleft())
    except BrokenProcessPool as error:
        raise RunError("a worker process ended by itself, perhaps for want of memory: use fewer --workers") from error
    finally:
        pool.shutdown(cancel_futures=True)


def _received(future: Future[list[str | Problem]]) -> Iterator[Outcome]:
    for made in future.result():
        yield PaperRecord.model_validate_json(made) if isinstance(made, str) else made


def _leave_interrupts() -> None:
    """Ctrl-C is for the process that started the workers; it ends them in good order."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextmanager
def interrupts_held() -> Iterator[None]:
    """Ctrl-C waits meanwhile, and a process begun meanwhile never sees it, not even before it can leave it alone."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # beginning it later would let Ctrl-C through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@cache
def _extractor(model: bool = True) -> Extractor:
    made = Extractor(model=model)
    # What was loaded stays: the collector need not look through it again and again (a tenth of the time).
    gc.collect()
    gc.freeze()
    return made


def _work(chunk: list[Item | Problem], model: bool) -> list[str | Problem]:
    """What a worker does: records travel back as JSON."""
    outcomes = extract_chunk(_extractor(model), chunk)
    return [made.model_dump_json() if isinstance(made, PaperRecord) else made for made in outcomes]


def extract_chunk(extractor: Extractor, chunk: Iterable[Item | Problem]) -> list[Outcome]:
    """The outcome of each item. The strings spaCy met in the chunk are forgotten after it."""
    with extractor.nlp.memory_zone():
        return [extract_item(extractor, item) if isinstance(item, Item) else item for item in chunk]


def extract_item(extractor: Extractor, item: Item) -> Outcome:
    """The record of one item, or the problem that kept it from being made."""
    length, limit = len(item.abstract), extractor.nlp.max_length
    if length > limit:
        return _failure(item, f"the abstract has {length:,} characters, and at most {limit:,} can be read; part it")
    try:
        return extractor.extract(
            item.abstract, title=item.title, id=item.id, venue=item.venue, year=item.year, url=item.url,
            extra=item.extra, source=item.source,
        )  # fmt: skip
    except Exception as error:
        return _failure(item, f"no record was made: {_describe(error)}")


def _failure(item: Item, message: str) -> Problem:
    return Problem(item.source.file, item.source.line, item.source.index, item.id, message, "error")


def _describe(error: Exception) -> str:
    """One line: what went wrong, and where in the code."""
    frames = traceback.extract_tb(error.__traceback__)
    where = f" ({Path(frames[-1].filename).name}:{frames[-1].lineno})" if frames else ""
    return f"{type(error).__name__}: {' '.join(str(error).split())[:300]}{where}"


def _watch_ids(outcomes: Iterator[Outcome]) -> Generator[Outcome, None, None]:
    """The outcomes, with a warning after each record whose id was there before. The record itself does not change:
    what is written of a paper never depends on its neighbours."""
    seen: dict[str, str] = {}
    for outcome in outcomes:
        yield outcome
        if isinstance(outcome, Problem):
            continue
        source = outcome.source
        place = source.file or "the input"
        if source.line is not None:
            place = f"{place}:{source.line}"
        first = seen.get(outcome.id)
        if first is None:
            seen[outcome.id] = place
        else:
            yield Problem(
                file=source.file, line=source.line, index=source.index, id=outcome.id, severity="warning",
                message=f"the id {outcome.id} was met before, at {first}; both records are kept",
            )  # fmt: skip
