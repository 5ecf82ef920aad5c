"""A real scheduler and real workers on this machine: same results, also when one is lost."""

from __future__ import annotations

import gc
import os
import shutil
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from analysis.errors import PodiumError
from analysis.extras.dask.cluster import cluster, connect
from analysis.parallel import map_items
from dashboard.compute import queue as places
from dashboard.compute.queue import done
from dashboard.extras.dask.workers import SETTING, Cluster
from tests.command_line import answer, run
from tests.extras.dask.own_cluster import ROOT, OwnCluster, free_port, own_cluster

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def two_workers() -> Iterator[OwnCluster]:
    with own_cluster(2) as found:
        yield found


def draw(data: object, item: int, rng: np.random.Generator) -> tuple[int, float]:
    """A chunk that takes a while; its data go with it."""
    time.sleep(0.05)
    return item, float(rng.random())


class Counted:
    """Data that count how often they are packed to be sent."""

    packed = 0

    def __init__(self) -> None:
        self.numbers = np.arange(100_000)

    def __getstate__(self) -> dict[str, object]:
        Counted.packed += 1
        return self.__dict__


HERE = map_items(partial(draw, None), range(40), seed=5)


@pytest.mark.parametrize(
    "words",
    [
        (
            "rank",
            "sample:wmt14-hi-en",
            "--method",
            "hopkins-may",
            "--runs",
            "20",
            "--resample",
            "task",
        ),
        (
            "rank",
            "sample:wmt14-hi-en",
            "--method",
            "trueskill",
            "--runs",
            "40",
            "--unit",
            "judgment",
        ),
        ("research", "validate", "sample:wmt14-hi-en", "--methods", "expected-wins,hopkins-may"),
        ("what-if", "sample:wmt14-hi-en", "--method", "expected-wins"),
        (
            "research",
            "simulate",
            "--study",
            "significance",
            "--sizes",
            "200,400",
            "--experiments",
            "8",
        ),
    ],
    ids=lambda words: " ".join(words[:4]),
)
def test_a_command_says_the_same_on_a_cluster(
    capsys: pytest.CaptureFixture[str], two_workers: OwnCluster, words: tuple[str, ...]
) -> None:
    there = answer(capsys, *words, "--cluster", two_workers.address)
    assert there == answer(capsys, *words)


def test_data_are_sent_once_and_not_with_every_chunk(two_workers: OwnCluster) -> None:
    Counted.packed = 0
    with cluster(two_workers.address) as workers:
        found = map_items(partial(draw, Counted()), range(40), seed=5, executor=workers)
    assert found == HERE
    assert Counted.packed == 1


def test_progress_comes_as_chunks_are_done(two_workers: OwnCluster) -> None:
    seen: list[tuple[int, int]] = []
    with cluster(two_workers.address) as workers:
        map_items(
            partial(draw, None), range(10), seed=5, executor=workers,
            progress=lambda done, total: seen.append((done, total)),
        )  # fmt: skip
    assert seen[-1] == (10, 10)
    assert len(seen) > 3


def test_an_error_of_a_chunk_is_what_it_would_be_here(two_workers: OwnCluster) -> None:
    with cluster(two_workers.address) as workers, pytest.raises(PodiumError, match="Here: wrong"):
        map_items(refuse, range(3), seed=0, executor=workers)


def refuse(item: int, rng: np.random.Generator) -> None:
    raise PodiumError("Here", "wrong")


def test_a_worker_lost_midway_changes_nothing() -> None:
    with own_cluster(2) as own, cluster(own.address) as workers:
        deadline = time.monotonic() + 20
        while workers.threads < 2 and time.monotonic() < deadline:
            time.sleep(0.1)
        assert workers.threads == 2

        def kill_one(place: int, result: object) -> None:
            if place == 8:
                own.kill_worker()

        found = map_items(
            partial(draw, Counted()), range(40), seed=5, executor=workers, each=kill_one
        )
        assert len(own.workers) == 1
    assert found == HERE


def test_data_that_only_a_lost_worker_held_are_sent_again() -> None:
    Counted.packed = 0
    with own_cluster(1) as own, cluster(own.address) as workers:

        def replace(place: int, result: object) -> None:
            if place == 8:
                own.kill_worker()
                own.add_worker()

        found = map_items(
            partial(draw, Counted()), range(40), seed=5, executor=workers, each=replace
        )
    assert found == HERE
    assert Counted.packed == 2


def test_a_cluster_that_is_lost_midway_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("analysis.extras.dask.cluster.BACK", 3)

    def stop_all(place: int, result: object) -> None:
        if place == 8:
            own.stop()

    with own_cluster(1) as own:
        lost = pytest.raises(PodiumError, match=r"^Cluster: .*(are gone|no longer answers)")
        with lost, cluster(own.address) as workers:
            map_items(partial(draw, None), range(400), seed=5, executor=workers, each=stop_all)


def test_no_scheduler_is_said(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("analysis.extras.dask.cluster.WAIT", 1)
    address = f"tcp://127.0.0.1:{free_port()}"
    words = ("rank", "sample:wmt14-hi-en", "--method", "hopkins-may", "--cluster", address)
    code, out, err = run(capsys, *words)
    assert (code, out) == (2, "")
    assert f"no scheduler answers at '{address}'" in err
    assert "dask scheduler" in err


def test_a_client_that_never_ran_is_not_closed_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    closed: list[object] = []
    monkeypatch.setattr("analysis.extras.dask.cluster.WAIT", 1)
    monkeypatch.setattr("distributed.Client.close", lambda client, *_: closed.append(client))
    with pytest.raises(PodiumError, match="no scheduler answers"):
        connect(f"tcp://127.0.0.1:{free_port()}")
    gc.collect()
    assert closed == []


def test_a_scheduler_without_workers_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("analysis.extras.dask.cluster.WAIT", 3)
    with (
        own_cluster(0) as own,
        pytest.raises(PodiumError, match="has no workers"),
        cluster(own.address),
    ):
        pass


def test_a_worker_with_other_code_is_refused(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "analysis", tmp_path / "analysis")
    with (tmp_path / "analysis" / "parallel.py").open("a") as file:
        file.write("# a line that the others do not have\n")
    with own_cluster(0) as own:
        own.add_worker(tmp_path)
        with (
            pytest.raises(PodiumError, match="Podium's code is"),
            cluster(own.address),
        ):
            pass


@pytest.fixture
def name_cluster(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], Cluster | None]]:
    """Name a cluster to the dashboard."""

    def name(address: str) -> Cluster | None:
        monkeypatch.setenv(SETTING, address)
        places._place.cache_clear()
        place: Cluster | None = places._place()
        return place

    yield name
    if (place := places._place()) is not None and place.workers is not None:
        place.workers.close()
    places._place.cache_clear()


def test_the_dashboard_has_its_chunks_done_by_the_cluster(
    two_workers: OwnCluster, name_cluster: Callable[[str], Cluster | None]
) -> None:
    place = name_cluster(two_workers.address)
    assert place is not None
    assert place.sentence == f"Long work is done by 2 workers of {two_workers.address}."
    assert done(where) not in (os.getpid(), None)


def test_a_dashboard_whose_cluster_is_not_there_computes_alone(
    monkeypatch: pytest.MonkeyPatch, name_cluster: Callable[[str], Cluster | None]
) -> None:
    monkeypatch.setattr("analysis.extras.dask.cluster.WAIT", 1)
    place = name_cluster(f"tcp://127.0.0.1:{free_port()}")
    assert place is not None
    assert "no scheduler answers" in place.sentence
    assert place.sentence.endswith("This computer works alone until the server is restarted.")
    assert done(where) == os.getpid()


def where() -> int:
    """Say which process does a chunk."""
    return os.getpid()
