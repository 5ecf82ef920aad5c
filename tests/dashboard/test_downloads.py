"""A file that was asked for is there until the browser has fetched it."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from streamlit import runtime
from streamlit.runtime.media_file_manager import MediaFileManager
from streamlit.runtime.media_file_storage import MediaFileStorageError
from streamlit.runtime.memory_media_file_storage import MemoryMediaFileStorage

from dashboard.compute import downloads


@pytest.fixture
def storage(monkeypatch: pytest.MonkeyPatch) -> MemoryMediaFileStorage:
    storage = MemoryMediaFileStorage("/media")
    server = SimpleNamespace(media_file_mgr=MediaFileManager(storage))
    monkeypatch.setattr(runtime, "exists", lambda: True)
    monkeypatch.setattr(runtime, "get_instance", lambda: server)
    return storage


def press(word: str) -> str:
    """Press a button that makes a file; return its address, as Streamlit's server does."""
    files = runtime.get_instance().media_file_mgr
    made = downloads.fetched(lambda: word, "text/csv", "a.csv")
    return files.execute_deferred(files.add_deferred(made, "text/csv", "here", "a.csv"))


def end_runs(n: int) -> None:
    for _ in range(n):
        runtime.get_instance().media_file_mgr.remove_orphaned_files()


def name(address: str) -> str:
    return address.rsplit("/", 1)[1]


def test_a_file_outlives_the_ends_of_others_runs(storage: MemoryMediaFileStorage) -> None:
    address = press("system,score\na,1\n")
    end_runs(5)
    assert storage.get_file(name(address)).content == b"system,score\na,1\n"


def test_only_so_many_are_kept(storage: MemoryMediaFileStorage) -> None:
    addresses = [press(f"file {k}") for k in range(downloads.KEPT + 1)]
    end_runs(5)
    storage.get_file(name(addresses[-1]))
    with pytest.raises(MediaFileStorageError):
        storage.get_file(name(addresses[0]))


def test_none_is_kept_for_long(
    storage: MemoryMediaFileStorage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(downloads, "SECONDS", 0.0)
    address = press("short")
    assert downloads._last is not None
    downloads._last.join()
    end_runs(5)
    with pytest.raises(MediaFileStorageError):
        storage.get_file(name(address))
