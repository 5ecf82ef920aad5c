"""The same chunks on a Dask cluster: what is one chunk here is one task there.

A result depends on the seed alone, so that it is the same as on one machine. What all chunks share
(the judgments, a fit) is sent once and held by the workers; a chunk itself is a size and a seed.
"""

from __future__ import annotations

import hashlib
import platform
from collections import OrderedDict
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Executor, Future
from contextlib import contextmanager, suppress
from functools import cache, partial
from importlib.metadata import version
from pathlib import Path
from threading import Lock
from typing import Any

from analysis.errors import PodiumError

WAIT = 10
"""Seconds that a scheduler and its first worker have to answer."""

HELD = 16
"""Functions whose data the workers hold at once; older ones are sent again when asked for."""

BACK = 120
"""Seconds that a cluster without any worker has to get one again."""

LOST = 3
"""How often a chunk is asked for again after a worker took its data away with it."""

START = (
    "Start it in Podium's folder, with the packages of its requirements.txt: "
    "PYTHONPATH=. dask scheduler, then PYTHONPATH=. dask worker ADDRESS."
)
NEEDED = ("numpy", "scipy", "numba", "pandas", "distributed")


@cache
def versions() -> dict[str, str]:
    """Return what must be the same everywhere, so that the same seed gives the same numbers."""
    digest = hashlib.sha256()
    for module in sorted(Path(__file__).parents[2].rglob("*.py")):
        digest.update(module.read_bytes())
    return {
        "Podium's code": digest.hexdigest()[:12],
        "Python": platform.python_version(),
        **{name: version(name) for name in NEEDED},
    }


def check_versions(here: dict[str, str], there: dict[str, str], worker: str) -> None:
    """Refuse a worker that could compute something else."""
    for name, own in here.items():
        if there.get(name) != own:
            raise PodiumError(
                f"Cluster, worker {worker}", f"{name} is {there.get(name)} there, {own} here", START
            )


class Sent:
    """A function with its data, as the workers hold it."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        self.versions = versions()


def call(sent: Sent, *args: Any) -> Any:
    """Do a chunk; runs on a worker, which may have joined after the first were checked."""
    check_versions(sent.versions, versions(), platform.node())
    return sent.function(*args)


class ClusterExecutor(Executor):
    """The workers of a Dask cluster as an executor.

    Dask does a chunk again whose worker was lost. Data that only the lost worker held come from
    here once more.
    """

    def __init__(self, client: Any) -> None:
        self._client = client
        self._held: OrderedDict[int, tuple[Callable[..., Any], Any]] = OrderedDict()
        self._lock = Lock()

    @property
    def threads(self) -> int:
        """How many chunks the workers do at once."""
        return sum(self._client.nthreads().values())

    def close(self) -> None:
        """Leave the cluster; it goes on without us."""
        self._client.close()

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        answer: Future[Any] = Future()
        try:
            self._ask(answer, partial(fn, **kwargs) if kwargs else fn, args, LOST)
        except (OSError, RuntimeError) as error:
            raise _disconnected(error) from error
        return answer

    def _ask(
        self, answer: Future[Any], function: Callable[..., Any], args: tuple[Any, ...], more: int
    ) -> None:
        asked = self._client.submit(call, self._sent(function), *args, pure=False)

        def forward(answer: Future[Any]) -> None:
            if answer.cancelled():
                asked.cancel()

        def receive(asked: Any) -> None:
            if answer.done():
                return
            try:
                if asked.status == "error":
                    answer.set_exception(_in_words(asked.exception()))
                    return
                if asked.status == "finished":
                    # What a worker had done may go with it before it comes here.
                    with suppress(CancelledError):
                        answer.set_result(asked.result())
                        return
                if not more:
                    raise PodiumError("Cluster", "its workers were lost repeatedly", START)
                self._await_worker(BACK)
                self._forget(function)
                self._ask(answer, function, args, more - 1)
            except Exception as error:  # nobody else would hear of it, and wait for ever
                if not answer.done():
                    answer.set_exception(_disconnected(error))

        answer.add_done_callback(forward)
        asked.add_done_callback(receive)

    def _await_worker(self, seconds: float) -> None:
        """Wait until a worker is there."""
        try:
            self._client.wait_for_workers(1, timeout=seconds)
        except TimeoutError as error:
            raise PodiumError("Cluster", "all its workers are gone", START) from error

    def _sent(self, function: Callable[..., Any]) -> Any:
        """Return the function as the workers hold it, sending it to all the first time."""
        with self._lock:
            if id(function) not in self._held:
                sent = self._client.scatter(Sent(function), hash=False, broadcast=True)
                self._held[id(function)] = (function, sent)
                while len(self._held) > HELD:
                    self._held.popitem(last=False)
            self._held.move_to_end(id(function))
            return self._held[id(function)][1]

    def _forget(self, function: Callable[..., Any]) -> None:
        """Drop data that the workers hold no more, if nobody has sent them again meanwhile."""
        with self._lock:
            _, sent = self._held.get(id(function), (None, None))
            if sent is not None and sent.cancelled():
                del self._held[id(function)]


def _disconnected(error: Exception) -> Exception:
    """Return an error of talking to the cluster as one that a user can mend."""
    if isinstance(error, PodiumError):
        return error
    return PodiumError("Cluster", f"it no longer answers ({type(error).__name__})", START)


def _in_words(error: BaseException) -> BaseException:
    """Return an error of the cluster as one that a user can mend, others as they are."""
    from distributed.scheduler import KilledWorker

    if isinstance(error, KilledWorker):
        return PodiumError(
            "Cluster",
            "several workers ended while they computed the same chunk",
            "They may lack memory: give them more, or start fewer per computer.",
        )
    if isinstance(error, ModuleNotFoundError):
        return PodiumError("Cluster", f"a worker cannot load {error.name or error}", START)
    return error


@contextmanager
def cluster(address: str) -> Iterator[ClusterExecutor]:
    """Give the workers of the scheduler at this address, once each was found to be as we are."""
    client = connect(address)
    workers = ClusterExecutor(client)
    try:
        yield workers
    finally:
        workers.close()


def connect(address: str) -> Any:
    """Return a client of this scheduler whose workers run the code and packages that run here."""
    try:
        from distributed import Client
    except ImportError as error:
        remedy = "Run: pip install -r requirements-cluster.txt"
        raise PodiumError("Cluster", "the package distributed is not installed", remedy) from error

    class Connected(Client):
        def __del__(self) -> None:
            # one that never ran would wait for its own end, and write a traceback
            if getattr(self, "status", "") == "running":
                super().__del__()

    try:
        client = Connected(address, timeout=WAIT, set_as_default=False)
    except (OSError, ValueError, ImportError) as error:
        raise PodiumError("Cluster", f"no scheduler answers at {address!r}", START) from error
    try:
        client.wait_for_workers(1, timeout=WAIT)
        for worker, there in client.run(versions).items():
            check_versions(versions(), there, worker)
    except TimeoutError as error:
        client.close()
        raise PodiumError("Cluster", f"{address} has no workers", START) from error
    except ModuleNotFoundError as error:
        client.close()
        raise _in_words(error) from error
    except BaseException:
        client.close()
        raise
    return client
