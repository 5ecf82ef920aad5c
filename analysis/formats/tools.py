"""Tools as profiles: files of YAML that say which columns a tool writes and what they mean.

Those of this folder's ``profiles`` come with the program; a folder named by ``PODIUM_PROFILES`` has
a user's own. Above the profile such a file has ``name``, ``title``, the columns that it ``needs``,
and ``notes`` for the report. A column that the tool writes only sometimes may be missing, and ``*``
in a column's name stands for any letters.
"""

from __future__ import annotations

import fnmatch
import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml

from analysis.errors import PodiumError, ReadingError
from analysis.formats.content import Content
from analysis.formats.file_names import without_endings
from analysis.formats.format import Format
from analysis.formats.mapping.apply import Parts, apply
from analysis.formats.mapping.flat import flat_records
from analysis.formats.mapping.profile import Profile, key, names_in, source_of
from analysis.formats.report import Oddity

FOLDER = "PODIUM_PROFILES"
"""The environment variable that names a folder of profiles."""
_SHIPPED = Path(__file__).parent / "profiles"
_LOADER = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
"""Reads every value as text, ten times faster where PyYAML came with libyaml."""


@dataclass(frozen=True)
class Tool:
    """What a tool's files are called, what they must have, and what their columns mean."""

    name: str
    title: str
    needs: tuple[str, ...]
    profile: Profile
    notes: tuple[str, ...] = ()

    def sniff(self, content: Content) -> bool:
        """Return whether a file has the columns that the tool writes."""
        keys = {key(name) for name in _keys(content, self.profile.records)}
        return all(name in keys or fnmatch.filter(keys, name) for name in map(key, self.needs))

    def read(self, content: Content) -> Parts:
        """Read a file by the profile, without the columns that it does not have."""
        profile = _fitted(self.profile, _keys(content, self.profile.records), content.where)
        parts = apply(content, profile)
        for part in parts.values():
            part.findings.oddities += [Oddity("tool", note) for note in self.notes]
        return parts

    @property
    def format(self) -> Format:
        """The tool as a format."""
        return Format(
            self.name, self.title, ", ".join(self.needs), sniff=self.sniff, read=self.read
        )


def shipped() -> dict[str, Format]:
    """Return the formats that come with the program as profiles."""
    return _formats(sorted(_SHIPPED.glob("*.yaml")))


def of_users() -> dict[str, Format]:
    """Return the formats of the user's folder of profiles."""
    folder = os.environ.get(FOLDER)
    if not folder:
        return {}
    try:
        paths = sorted(path for path in Path(folder).iterdir() if path.suffix in (".yaml", ".yml"))
    except OSError as error:
        raise PodiumError(
            f"{FOLDER}={folder}", error.strerror or "it cannot be read", "Name a folder."
        ) from None
    return _formats(paths)


def _formats(paths: Iterable[Path]) -> dict[str, Format]:
    tools = [_loaded(path, path.stat().st_mtime_ns) for path in paths]
    return {tool.name: tool.format for tool in tools}


@lru_cache(maxsize=200)
def _loaded(path: Path, changed: int) -> Tool:
    """Read a tool's file; ``changed`` is when it was written."""
    try:
        content = yaml.load(path.read_text(encoding="utf-8"), _LOADER)
        above = ("name", "title", "needs", "notes")
        own: dict[str, Any] = {name: content.pop(name, None) for name in above}
        profile = Profile.from_content(content, path.name)
    except (OSError, yaml.YAMLError, UnicodeDecodeError, AttributeError, TypeError) as error:
        told = " ".join(str(error).split())[:120]
        raise PodiumError(str(path.name), f"it cannot be read ({told})", "Write YAML.") from None
    needs = own["needs"] or [name for name in profile.used if "*" not in name]
    if not isinstance(needs, list) or not isinstance(own["notes"] or [], list):
        raise PodiumError(path.name, "needs or notes is not a list", "Write needs: [one, two].")
    return Tool(
        own["name"] or path.stem,
        own["title"] or path.stem,
        tuple(needs),
        profile,
        tuple(own["notes"] or ()),
    )


def _keys(content: Content, records: str) -> Sequence[str]:
    if content.kind != "json":
        return [*content.keys]
    first = content.first_as_written
    return [*next(flat_records([first], records), {})] if first else []


def _fitted(profile: Profile, keys: Sequence[str], where: str) -> Profile:
    """Return a profile with the names that the file has in place of those with a star."""
    known = {key(name) for name in keys}
    made = {key(name) for name in profile.made}

    def there(names: Iterable[str]) -> tuple[str, ...]:
        return tuple(
            dict.fromkeys(
                found
                for name in names
                for found in (fnmatch.filter(keys, name) if "*" in name else [name])
                if key(found) in known | made
            )
        )

    values: list[tuple[str, Any]] = []
    for name, words in profile.values:
        is_copy = "=" in name and there([source_of(name)])
        values += [(found, words) for found in ([name] if is_copy else there([name]))]
    templates = tuple((name, _without(text, known | made)) for name, text in profile.templates)
    constants = tuple(
        (n, text.replace("{file}", without_endings(where))) for n, text in profile.constants
    )
    outputs = tuple(one for one in profile.outputs if len(there(one[1:])) == 2)
    lengths = tuple(one for one in profile.lengths if len(there(one[1])) == 2)
    changes: dict[str, Any] = {
        role: next(iter(there(getattr(profile, role).split("|"))), "")
        for role in ("task", "domain", "document", "seconds", "pair", "judge", "segment")
    }
    criteria = there(profile.criteria)
    changes["criteria"] = criteria
    if len(criteria) == 1:
        changes |= {"score": criteria[0], "criteria": ()}
    if profile.criteria and not criteria:
        raise ReadingError(
            where, "it has none of the tool's scores", f"Known are {', '.join(profile.criteria)}."
        )
    return replace(
        profile, values=tuple(values), templates=templates, constants=constants,
        attributes=there(profile.attributes), outputs=outputs, lengths=lengths, **changes,
    )  # fmt: skip


def _without(template: str, known: set[str]) -> str:
    """Return a template without the parts and ways whose columns the file does not have."""
    ways = []
    for way in template.split("|"):
        parts = re.split(r"(\[[^\[\]]*\])", way)
        kept = [p for p in parts if p[:1] != "[" or all(key(n) in known for n in names_in(p))]
        if all(key(name) in known for part in kept for name in names_in(part)):
            ways.append("".join(kept))
    return "|".join(ways)
