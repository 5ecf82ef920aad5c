"""What users open: uploaded bytes up to the upload limit, another file, samples, the example."""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256

from analysis.campaign import Campaign
from analysis.errors import PodiumError
from analysis.formats import Guess, guess_file, read_many, read_path
from analysis.formats.mapping import Preview, fits
from analysis.formats.mapping.profile import Profile
from analysis.formats.report import SeveralKindsError
from analysis.parallel import Progress
from analysis.rankers import DEFAULT_METHOD, ranker_class
from analysis.ranking.certainty import DEFAULT_CERTAINTY
from analysis.samples import DEFAULT_SAMPLE, sample_campaign
from analysis.shipped import DATA
from dashboard.compute import store
from dashboard.compute.contexts import EXAMPLE, make_context
from dashboard.compute.housekeeping import MAX_UPLOAD_BYTES
from dashboard.compute.queue import TICK
from dashboard.compute.store import session_memory
from dashboard.session.state import Upload
from dashboard.session.view import ViewContext

MAX_KEPT_BYTES = 64 * 2**20
"""Bytes of files that a session keeps for its archive."""
SHORT = 2**20
"""Bytes of text that are read within half a second."""
AT_ONCE = 2
"""Uploads that are read at once: each takes memory."""
_reading = threading.BoundedSemaphore(AT_ONCE)


@dataclass(frozen=True)
class UploadedFile:
    """A file that a user gave: its bytes are asked for only once its size is known to be right."""

    name: str
    size: int
    get_bytes: Callable[[], bytes]
    id: str = ""


def guessed(file: UploadedFile) -> tuple[Preview, Guess] | None:
    """Return the first rows of a table and what its columns may mean; None for anything else."""

    def make() -> tuple[Preview, Guess] | None:
        try:
            return guess_file(file.get_bytes(), file.name)
        except PodiumError:
            return None

    key = ("mapper", "guess", file.name, file.id)
    found: tuple[Preview, Guess] | None = session_memory().results.get_or_make(key, make)
    return found


def table_of(file: UploadedFile) -> Preview | None:
    """Return the first rows of a file that is a table; None for anything else."""
    found = guessed(file)
    return None if found is None else found[0]


def read_upload(
    files: Sequence[UploadedFile],
    progress: Progress | None = None,
    profile: Profile | None = None,
) -> tuple[Upload | None, list[str]]:
    """Read uploaded files together; return the upload, and what is wrong with which file.

    Files that cannot be read are left out; where none can, there is no campaign. Reading never
    waits for what others compute; unless there is little to read, it waits while as many others
    read as may at once, and meanwhile ``progress`` is called with nothing done. ``profile`` says
    what the columns of a table mean. Files of several kinds are nobody's mistake, and their error
    is raised: the user says which kind is the campaign.
    """

    def look_around() -> None:
        if progress is not None:
            progress(0, len(files))

    if is_short_text(files):
        return _read(files, profile)
    while not _reading.acquire(timeout=TICK):
        look_around()
    try:
        return _read(files, profile)
    finally:
        _reading.release()


def is_short_text(files: Sequence[UploadedFile]) -> bool:
    """Return whether reading takes no longer than drawing a page, so that nobody has to wait.

    What is packed may be of any length.
    """
    if sum(file.size for file in files) > SHORT:
        return False
    contents = (file.get_bytes() for file in files)
    return not any(data.startswith(b"\x1f\x8b") or b"\0" in data for data in contents)


def _read(
    files: Sequence[UploadedFile], profile: Profile | None
) -> tuple[Upload | None, list[str]]:
    total = sum(file.size for file in files)
    if total > MAX_UPLOAD_BYTES:
        problem = PodiumError(
            "Upload",
            f"the files have {total / 2**20:.0f} MB together, and 500 MB is the limit",
            "Gzip them (.gz files work), or upload one language pair at a time.",
        )
        return None, [str(problem)]
    try:
        return _read_together(files, profile), []
    except SeveralKindsError:
        raise
    except PodiumError as error:
        if len(files) == 1:
            return None, [_of_file(files[0], error)]
    problems, good = [], []
    for file in files:
        try:
            _read_one(file, profile)
        except PodiumError as error:
            problems.append(_of_file(file, error))
        else:
            good.append(file)
    try:
        return (_read_together(good, profile) if good else None), problems
    except SeveralKindsError:
        raise
    except PodiumError as error:
        return None, [*problems, str(error)]


def _of_file(file: UploadedFile, error: PodiumError) -> str:
    """Name the file, which readers do themselves where they know a line."""
    return str(error) if file.name in str(error) else f"{file.name}: {error}"


def _read_one(file: UploadedFile, profile: Profile | None) -> Upload:
    table = None if profile is None else table_of(file)
    fit = profile is not None and table is not None and fits(profile, table.columns)
    return _read_together([file], profile if fit else None)


def _read_together(files: Sequence[UploadedFile], profile: Profile | None) -> Upload:
    named = [(file.name, file.get_bytes()) for file in files]
    campaign, report = read_many(named, mapping=profile)
    contents = tuple(content for _, content in named)
    kept = contents if sum(map(len, contents)) <= MAX_KEPT_BYTES else ()
    return Upload(campaign, report, tuple(name for name, _ in named), profile, kept)


_making = threading.Lock()


def sample(name: str) -> Campaign:
    """Return a sample campaign; who comes while it is made waits for it."""
    with _making:
        return store.shared_memory().results.get_or_make(
            ("sample", name), lambda: sample_campaign(name)
        )


def example() -> Campaign:
    """Return the example, a made-up campaign that comes with metrics and other scores."""

    def read() -> Campaign:
        campaign, _ = read_path(str(DATA / "examples" / "scores.csv"))
        return dataclasses.replace(campaign, title=EXAMPLE)

    return store.shared_memory().results.get_or_make(("example",), read)


def default_context() -> ViewContext:
    """Return the view that the dashboard opens with."""
    campaign = sample(DEFAULT_SAMPLE)
    ranker = ranker_class(DEFAULT_METHOD)()
    return make_context(campaign, campaign.pairs[0], ranker, DEFAULT_CERTAINTY, is_sample=True)


def of_file(context: ViewContext, name: str, data: bytes) -> ViewContext:
    """Return a view of another file by the same method; of its pair of the same name.

    Filters that name judges, segments or parts are this campaign's own and are left out. The file
    is read once in a session and stays in its memory.
    """
    key = ("another file", name, sha256(data).hexdigest())
    campaign, report = store.session_memory().results.get_or_make(
        key, lambda: read_many([(name, data)])
    )
    pair = campaign.pairs[0] if len(campaign.pairs) == 1 else campaign.find_pair(context.pair)
    return make_context(
        campaign,
        pair,
        context.ranker,
        context.certainty,
        report=report,
        label=name,
        selection=dataclasses.replace(
            context.selection, exclude_judges=(), segments=None, slices=()
        ),
        mode=context.mode,
    )
