"""The papers behind the methods, read from ``references.bib``: how a text cites and lists them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import bibtexparser

from analysis.wording import listed

_FIELDS = (
    "author", "title", "booktitle", "journal", "volume", "number", "pages", "publisher", "year",
    "doi", "url",
)  # fmt: skip


@dataclass(frozen=True)
class Reference:
    """One publication; ``fields`` as BibTeX has them, authors ``Last, First and Last, First``."""

    key: str
    kind: str
    fields: Mapping[str, str]

    @property
    def year(self) -> int:
        return int(self.fields["year"])

    @property
    def cited(self) -> str:
        """Return author and year as a running text has them.

        >>> REFERENCES["hopkins-may-2013-models"].cited
        'Hopkins and May, 2013'
        """
        names = [author.split(",")[0] for author in self.fields["author"].split(" and ")]
        if len(names) > 2:
            return f"{names[0]} et al., {self.year}"
        return f"{listed(names)}, {self.year}"

    @property
    def line(self) -> str:
        """Return the entry of a list of references, as plain text."""
        place = {name: value.replace("--", "–") for name, value in self.fields.items()}
        authors = place["author"].split(" and ")
        names = [" ".join(reversed(author.split(", "))) for author in authors]
        joined = listed(names)
        where = place.get("booktitle") or place.get("journal") or place["publisher"]
        volume = f" {place['volume']}({place['number']})" if "volume" in place else ""
        pages = f", pages {place['pages']}" if "pages" in place else ""
        return f"{joined}. {self.year}. {place['title'].strip('{}')}. {where}{volume}{pages}."

    @property
    def bibtex(self) -> str:
        """Return the BibTeX entry; capitals of the title are kept."""
        lines = [f"  {name} = {{{self.fields[name]}}}," for name in _FIELDS if name in self.fields]
        return "\n".join([f"@{self.kind}{{{self.key},", *lines, "}"])


def _references() -> dict[str, Reference]:
    text = Path(__file__).parents[1].joinpath("references.bib").read_text(encoding="utf-8")
    return {
        entry["ID"]: Reference(
            entry["ID"], entry["ENTRYTYPE"], {n: entry[n] for n in _FIELDS if n in entry}
        )
        for entry in bibtexparser.loads(text).entries
    }


REFERENCES = _references()
