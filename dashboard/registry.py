"""What pages there are, and what extras bring to them: found in their folder, named nowhere else.

An extra is a package in ``dashboard/extras``. Its ``__init__`` defines ``BRINGS``.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from types import ModuleType

from analysis.registry import manifests
from dashboard.session.view import ViewContext

FOLDER = "dashboard.extras"
"""Where the extras of the dashboard lie."""

FOOT = 999
"""The place of a page behind the link at the foot, outside of the campaign's rooms."""

Shown = Callable[[ViewContext], bool]


def always(context: ViewContext) -> bool:
    """Return that a page has something to say of any data."""
    return True


@dataclass(frozen=True)
class PageSpec:
    """A page: its name, its address, its icon, and the module that shows it.

    Pages are listed by their ``place``, where ``shown`` finds that the data give them something
    to say. ``before`` are addresses of earlier versions that lead here.
    """

    title: str
    address: str
    icon: str
    module: str
    place: int
    shown: Shown = always
    before: tuple[str, ...] = ()


@dataclass(frozen=True)
class Brings:
    """What an extra brings to the dashboard.

    ``sections`` names, for each page of the core that the extra adds to, the module whose ``show``
    does. ``workers`` is a module that runs chunks of long work elsewhere. ``before`` are addresses
    of earlier versions, each with the page of the core that has their content now.
    """

    pages: tuple[PageSpec, ...] = ()
    sections: Mapping[str, str] = field(default_factory=dict)
    workers: str = ""
    before: Mapping[str, str] = field(default_factory=dict)


def extras() -> Iterator[Brings]:
    """Yield what the extras of this installation bring."""
    for brings in manifests(FOLDER, "BRINGS"):
        assert isinstance(brings, Brings)
        yield brings


def sections(page: str) -> Iterator[ModuleType]:
    """Yield the modules of extras that add a section to a page of the core."""
    for brings in extras():
        if page in brings.sections:
            yield importlib.import_module(brings.sections[page])
