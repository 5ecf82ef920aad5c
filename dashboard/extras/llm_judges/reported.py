"""LLM judges of a view in its report, its archive and the settings that reproduce it."""

from __future__ import annotations

from analysis.extras.llm_judges.reported import added_of, as_member
from analysis.formats.file_names import without_endings
from analysis.reporting.report import Added
from dashboard.extras.llm_judges.compute import measured_machines
from dashboard.extras.llm_judges.files import files_of, named_of
from dashboard.session.view import ViewContext


def added(context: ViewContext) -> tuple[Added, ...]:
    """Return what the report says of them; nothing of those that cannot be compared."""
    return added_of([agreed for _, agreed in measured_machines(context)[0].values()])


def words(context: ViewContext) -> list[str]:
    """Return the options of ``podium report`` that name those that can be compared."""
    known, files = measured_machines(context)[0], files_of(context)
    given = [name for name in named_of(context) if name in known]
    places = range(len(given) + 1, len(given) + len(files) + 1)
    given += [
        f"{without_endings(name)}={as_member(place, name)}"
        for place, (name, _) in zip(places, files, strict=True)
        if without_endings(name) in known
    ]
    return [f"--llm-judge={one}" for one in given]


def sources(context: ViewContext) -> dict[str, bytes]:
    """Return their files as members of an archive."""
    first = len(named_of(context)) + 1
    return {as_member(k, name): data for k, (name, data) in enumerate(files_of(context), first)}


def in_words(context: ViewContext) -> tuple[str, str] | None:
    """Return the setting that names them; None without any."""
    names = [*named_of(context), *(name for name, _ in files_of(context))]
    return ("LLM judges", ", ".join(names)) if names else None
