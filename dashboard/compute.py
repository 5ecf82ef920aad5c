"""The only caches: what was computed is kept, for everybody if of a sample, else for one session.

A key names everything a result depends on: the campaign's fingerprint, the pair, the selection and
the caller's own settings. Resamples are kept chunk by chunk, so that a run that was interrupted
goes on where it was, and a longer run begins with a shorter one's chunks.
"""

from __future__ import annotations

import os
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import streamlit as st

from analysis.campaign import DEFAULT_SELECTION, Campaign, Judgments, Selection
from analysis.errors import PodiumError
from analysis.formats import read_many
from analysis.judges.agreement import Agreement, agreement
from analysis.judges.judges import JudgeAgreement, JudgeTable, judge_agreement, judges
from analysis.parallel import Progress
from analysis.rankers import Fit
from analysis.rankers.standings import Standings
from analysis.ranking.preflight import Finding, preflight
from analysis.ranking.ranking import Ranking, assemble
from analysis.ranking.replicates import Replicates, replicate
from analysis.simulation.samples import sample_campaign
from dashboard import state

if TYPE_CHECKING:
    from dashboard.context import ViewContext

T = TypeVar("T")

MAX_UPLOAD_BYTES = 500 * 2**20
MAX_JUDGMENTS, MAX_FITS, MAX_RESULTS, MAX_CHUNKS = 6, 12, 200, 2000
_MISSING = object()


class Store:
    """A bounded memory of results by key; the least recently used goes first."""

    def __init__(self, max_entries: int) -> None:
        self._entries: OrderedDict[Hashable, Any] = OrderedDict()
        self._lock = threading.Lock()
        self._max_entries = max_entries

    def get(self, key: Hashable, default: Any = None) -> Any:
        with self._lock:
            if key not in self._entries:
                return default
            self._entries.move_to_end(key)
            return self._entries[key]

    def put(self, key: Hashable, value: Any) -> None:
        with self._lock:
            self._entries[key] = value
            self._entries.move_to_end(key)
            while len(self._entries) > self._max_entries:
                self._entries.popitem(last=False)

    def forget(self, family: tuple[Hashable, ...]) -> None:
        """Drop everything whose key begins with ``family``."""
        with self._lock:
            for key in list(self._entries):
                if isinstance(key, tuple) and key[: len(family)] == family:
                    del self._entries[key]

    def get_or_make(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return what is kept under the key, making it first where nothing is."""
        value = self.get(key, _MISSING)
        if value is _MISSING:
            value = make()
            self.put(key, value)
        result: T = value
        return result


class Memory:
    """Results and, apart from them, few large judgments, few fits, many chunks of resamples."""

    def __init__(self) -> None:
        self.judgments = Store(MAX_JUDGMENTS)
        self.fits = Store(MAX_FITS)
        self.results = Store(MAX_RESULTS)
        self.chunks = Store(MAX_CHUNKS)


@st.cache_resource(show_spinner=False)
def _shared_memory() -> Memory:
    return Memory()


@st.cache_resource(show_spinner=False, scope="session")
def _session_memory() -> Memory:
    return Memory()


def _memory(is_sample: bool) -> Memory:
    """Return everybody's memory for samples, this session's own for anything else."""
    return _shared_memory() if is_sample else _session_memory()


# Campaigns ------------------------------------------------------------------------------------


def sample(name: str) -> Campaign:
    """Return a sample campaign."""
    return _shared_memory().results.get_or_make(("sample", name), lambda: sample_campaign(name))


@dataclass(frozen=True)
class UploadedFile:
    """A file that a user gave: its bytes are asked for only once its size is known to be right."""

    name: str
    size: int
    get_bytes: Callable[[], bytes]


def read_upload(files: Sequence[UploadedFile]) -> tuple[state.Upload | None, list[str]]:
    """Read uploaded files together; return the campaign, and what is wrong with which file.

    Files that cannot be read are left out; where none can, there is no campaign.
    """
    total = sum(file.size for file in files)
    if total > MAX_UPLOAD_BYTES:
        problem = PodiumError(
            "Upload",
            f"the files have {total / 2**20:.0f} MB together, and 500 MB is the most",
            "Gzip them (.gz is read as it is), or give one language pair at a time.",
        )
        return None, [str(problem)]
    try:
        return _read_together(files), []
    except PodiumError as error:
        if len(files) == 1:
            return None, [_of_file(files[0], error)]
    problems, good = [], []
    for file in files:
        try:
            _read_together([file])
        except PodiumError as error:
            problems.append(_of_file(file, error))
        else:
            good.append(file)
    try:
        return (_read_together(good) if good else None), problems
    except PodiumError as error:
        return None, [*problems, str(error)]


def _of_file(file: UploadedFile, error: PodiumError) -> str:
    """Name the file, which readers do themselves where they know a line."""
    return str(error) if file.name in str(error) else f"{file.name}: {error}"


def _read_together(files: Sequence[UploadedFile]) -> state.Upload:
    campaign, report = read_many([(file.name, file.get_bytes()) for file in files])
    return state.Upload(campaign, report, tuple(file.name for file in files))


def judgments(campaign: Campaign, pair: str, selection: Selection, *, is_sample: bool) -> Judgments:
    """Return one pair's judgments after the user's selection."""
    return _memory(is_sample).judgments.get_or_make(
        (campaign.fingerprint, pair, selection),
        lambda: campaign.judgments(pair, selection),
    )


def everything(context: ViewContext) -> Judgments:
    """Return the pair's judgments before any selection, references left out."""
    return judgments(context.campaign, context.pair, DEFAULT_SELECTION, is_sample=context.is_sample)


# Results --------------------------------------------------------------------------------------


def remember(context: ViewContext, key: tuple[Hashable, ...], make: Callable[[], T]) -> T:
    """Return ``make()``, made once for this campaign, pair, selection and ``key``.

    ``key`` begins with the result's name and holds every setting that ``make`` uses (a ranker may
    stand in it as it is); what it returns is shared, so it must not be changed.
    """
    return _memory(context.is_sample).results.get_or_make((*context.data_key, *key), make)


def recall(context: ViewContext, key: tuple[Hashable, ...]) -> Any:
    """Return what `remember` or `keep` has under the key, None where there is nothing yet."""
    return _memory(context.is_sample).results.get((*context.data_key, *key))


def keep(context: ViewContext, key: tuple[Hashable, ...], value: object) -> None:
    """Keep what was made outside of `remember`."""
    _memory(context.is_sample).results.put((*context.data_key, *key), value)


def resuming(context: ViewContext, key: tuple[Hashable, ...]) -> Executor:
    """Return threads for `analysis.parallel.map_items` that keep every item they finish.

    A run that was left goes on where it was; ``key`` holds every setting that the items depend on.
    """
    return _ResumingThreads(_memory(context.is_sample).chunks, (*context.data_key, *key))


def forget_items(context: ViewContext, key: tuple[Hashable, ...]) -> None:
    """Drop the items that `resuming` kept, once what they were for is remembered."""
    _memory(context.is_sample).chunks.forget((*context.data_key, *key))


def fit(context: ViewContext) -> Fit:
    """Return the chosen ranker fitted to the judgments; settings of prediction ask for no other."""
    as_fitted, seed = context.ranker.as_fitted(), context.resampling.seed
    found = _memory(context.is_sample).fits.get_or_make(
        (*context.data_key, as_fitted, seed), lambda: as_fitted.fit(context.judgments, seed)
    )
    return found.read_by(context.ranker)


def standings(context: ViewContext) -> Standings:
    """Return the chosen ranker's scores of the judgments as they are."""
    return fit(context).standings


def replicates(context: ViewContext, progress: Progress | None = None) -> Replicates:
    """Return the chosen ranker's scores on every resample; resumes where it was interrupted."""
    ranker, chosen = context.ranker, context.resampling
    memory = _memory(context.is_sample)
    family = (*context.data_key, ranker.as_fitted(), chosen.unit, chosen.seed)

    def run() -> Replicates:
        with _ResumingThreads(memory.chunks, family) as executor:
            return replicate(
                fit(context),
                runs=chosen.runs,
                unit=chosen.unit,
                seed=chosen.seed,
                executor=executor,
                progress=progress,
            )

    return remember(context, _replicates_key(context), run)


def ranking(context: ViewContext, progress: Progress | None = None) -> Ranking:
    """Return standings with rank ranges and clusters over the resamples."""
    runs = replicates(context, progress)
    level = context.resampling.level
    return remember(
        context,
        ("ranking", *_replicates_key(context), level),
        lambda: assemble(context.judgments, standings(context), runs, level),
    )


def preview(context: ViewContext) -> Ranking:
    """Return what can be said at once: the scores with the model's own spread, no ranges yet."""
    return Ranking(
        judgments=context.judgments,
        standings=standings(context),
        runs=0,
        level=context.resampling.level,
        signature=context.ranker.method_signature() + "|preview",
        ranges=None,
        clusters=None,
    )


def agreement_of_judges(context: ViewContext) -> Agreement:
    """Return inter and intra agreement, as published and strict, with intervals."""
    level, seed = context.resampling.level, context.resampling.seed

    def make() -> Agreement:
        return agreement(judged_pairs(context), level=level, seed=seed)

    return remember(context, ("agreement", level, seed), make)


def judged_pairs(context: ViewContext) -> Judgments:
    """Return the judgments as agreement counts them: without a rank, a pair is lost, not a task."""
    return remember(
        context,
        ("judged pairs",),
        lambda: context.campaign.judgments(context.pair, context.selection, incomplete="drop-pair"),
    )


def judge_by_judge(context: ViewContext) -> JudgeTable:
    """Return every judge's work, agreement and flags."""
    return remember(context, ("judges",), lambda: judges(judged_pairs(context)))


def judge_couples(context: ViewContext) -> JudgeAgreement:
    """Return the kappa of every two judges."""
    return remember(context, ("judge couples",), lambda: judge_agreement(judged_pairs(context)))


def preflight_findings(context: ViewContext) -> tuple[Finding, ...]:
    """Return what limits a ranking of the chosen judgments."""
    return remember(context, ("preflight",), lambda: preflight(context.judgments))


def is_resampled(context: ViewContext) -> bool:
    """Return whether all resamples are there already, so that no preview is needed."""
    return recall(context, _replicates_key(context)) is not None


def _replicates_key(context: ViewContext) -> tuple[Hashable, ...]:
    chosen = context.resampling
    return ("replicates", context.ranker, chosen.unit, chosen.seed, chosen.runs)


class _ResumingThreads(Executor):
    """Threads that look a chunk up before computing it, by its size and its place in the seed."""

    def __init__(self, chunks: Store, family: tuple[Hashable, ...]) -> None:
        self._threads = ThreadPoolExecutor(max_workers=os.cpu_count())
        self._chunks = chunks
        self._family = family

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        n, rng = args
        place = rng.bit_generator.seed_seq.spawn_key
        key = (*self._family, n, place)
        known = self._chunks.get(key, _MISSING)
        if known is not _MISSING:
            future: Future[Any] = Future()
            future.set_result(known)
            return future
        return self._threads.submit(self._compute, key, fn, n, rng)

    def _compute(
        self, key: Hashable, fn: Callable[..., Any], n: int, rng: np.random.Generator
    ) -> Any:
        chunk = fn(n, rng)
        self._chunks.put(key, chunk)
        return chunk

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        """Let go at once where a run was left: chunks under way end by themselves and are kept."""
        self.shutdown(wait=kind is None, cancel_futures=True)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self._threads.shutdown(wait=wait, cancel_futures=cancel_futures)


# Warm start -----------------------------------------------------------------------------------


@st.cache_resource(show_spinner=False)
def warm_up(_first_context: Callable[[], ViewContext]) -> threading.Thread:
    """Compile the kernels and rank the first sample, before the first user asks."""
    _shared_memory()
    thread = threading.Thread(target=lambda: ranking(_first_context()), daemon=True)
    thread.start()
    return thread
