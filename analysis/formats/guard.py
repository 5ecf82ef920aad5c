"""The last guard of every reader: whatever a library says of a file, a person is told in words."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from analysis.errors import PodiumError, ReadingError

ANY_FILE = "Give judgments as CSV, TSV, JSON, Parquet, Excel or XML; it may be zipped or gzipped."
"""What can be read, for files that are nothing of it."""


@contextmanager
def no_other_error(where: str, remedy: str = ANY_FILE) -> Iterator[None]:
    """Let no error but our own leave a reader; one of ours without a remedy gets ``remedy``.

    An error of a library stays the cause of what is told instead.
    """
    try:
        yield
    except PodiumError as error:
        if error.remedy:
            raise
        raise ReadingError(error.where, error.got, remedy) from None
    except MemoryError as error:
        raise ReadingError(
            where, "there is not enough memory to read it", "Split it, one language pair per file."
        ) from error
    except Exception as error:
        told = (str(error).splitlines() or [""])[0][:120]
        raise ReadingError(
            where,
            f"this file could not be read ({type(error).__name__}{told and ': ' + told})",
            "It may be damaged: make a new export, or write it as CSV.",
        ) from error
