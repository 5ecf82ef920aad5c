"""A session as a small file: all that a user chose, arranged and wrote, but no judgment.

The file is JSON and names the judgments by their fingerprint. It may come from anybody, so every
part is checked when it is read: size, types, lengths, and names of methods and settings.
"""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, NoReturn, TypeVar

from analysis.campaign import DEFAULT_SELECTION, SELECTION_FIELDS, Campaign, Selection
from analysis.campaign.slices import is_known
from analysis.errors import PodiumError
from analysis.languages import pair_key
from analysis.parameters import from_settings
from analysis.presets import DEFAULT_PRESET, preset_named
from analysis.rankers import DEFAULT_METHOD, Ranker, ranker_class
from analysis.rankers.resampling import UNITS
from analysis.ranking.certainty import DEFAULT_CERTAINTY, RANGES, Certainty
from analysis.reporting.deck.slides import CLOSE, NOTHING, OPEN, Arrangement, Slide, Table
from dashboard.session.view import LEVELS, RUNS

VERSION = 1
MARKER = "podium session"
"""The key under which a session file tells its version."""
LARGEST = 2**20
LONGEST_TEXT, MOST = 4_000, 50_000
"""Characters of a text and parts of a list that a file may have."""
SCOPES = ("new", "these")

T = TypeVar("T")


@dataclass(frozen=True)
class SavedSession:
    """What a session held; ``sample`` names the sample that it was about, "" for a user's files.

    ``decks`` are the changes to the slides by language pair, notes among them; ``words`` are the
    user's own words and choices on the pages Report and Present, by widget; ``others`` names what
    extras had next to the campaign, such as files of other votes on its items.
    """

    data: str
    title: str = ""
    sample: str = ""
    page: str = ""
    pair: str = ""
    preset: str = DEFAULT_PRESET
    ranker: Ranker = field(default_factory=lambda: ranker_class(DEFAULT_METHOD)())
    certainty: Certainty = DEFAULT_CERTAINTY
    selection: Selection = DEFAULT_SELECTION
    decks: Mapping[str, Arrangement] = field(default_factory=dict)
    words: Mapping[str, Any] = field(default_factory=dict)
    others: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def write(saved: SavedSession) -> str:
    """Return the file; the same session gives the same bytes."""
    selection = {
        chosen.name: getattr(saved.selection, chosen.name)
        for chosen in SELECTION_FIELDS
        if getattr(saved.selection, chosen.name) != chosen.default
    }
    whole = {
        MARKER: VERSION,
        "data": saved.data,
        "title": saved.title,
        "sample": saved.sample,
        "page": saved.page,
        "pair": saved.pair,
        "preset": saved.preset,
        "method": saved.ranker.name,
        "settings": saved.ranker.settings(),
        "certainty": dataclasses.asdict(saved.certainty),
        "selection": selection,
        "decks": {pair: _deck(deck) for pair, deck in sorted(saved.decks.items())},
        "words": dict(saved.words),
        "others": {name: list(values) for name, values in saved.others.items() if values},
    }
    return json.dumps(whole, indent=1, ensure_ascii=False) + "\n"


def is_session(data: bytes) -> bool:
    """Return whether a file begins as `write` begins one."""
    return data[:80].lstrip(b"\xef\xbb\xbf \t\r\n{").startswith(f'"{MARKER}"'.encode())


def read(data: bytes) -> SavedSession:
    """Return what a session file holds; anything else raises and says what is wrong."""
    part = _whole(data)
    method = part.text("method", DEFAULT_METHOD)
    ranker = from_settings(ranker_class(method), part.part("settings").plain())
    return SavedSession(
        data=part.text("data"),
        title=part.text("title"),
        sample=part.text("sample"),
        page=part.text("page"),
        pair=part.text("pair"),
        preset=preset_named(part.text("preset", DEFAULT_PRESET)).name,
        ranker=ranker,
        certainty=_read_certainty(part.part("certainty")),
        selection=_read_selection(part.part("selection")),
        decks={pair: _read_deck(deck) for pair, deck in part.part("decks").parts().items()},
        words=part.part("words").plain(),
        others={
            name: values
            for name in part.part("others").values
            if (values := part.part("others").texts(name))
        },
    )


@dataclass(frozen=True)
class Fitting:
    """What of a saved session fits a campaign; the counts are of what does not."""

    saved: SavedSession
    is_same: bool
    missing_names: int = 0
    missing_slides: int = 0
    missing_pairs: int = 0
    pair_is_missing: bool = False


def fit(saved: SavedSession, campaign: Campaign) -> Fitting:
    """Return what of a saved session can hold for a campaign.

    For other judgments than it was saved with, names that are not there are dropped, and slides
    that show results, since these would be wrong; order and notes stay.
    """
    pairs = {pair_key(pair): pair for pair in campaign.pairs}
    decks = {pairs[pair_key(p)]: deck for p, deck in saved.decks.items() if pair_key(p) in pairs}
    pair = pairs.get(pair_key(saved.pair), "")
    selection, n_missing = _known_names(saved.selection, campaign)
    kept = dataclasses.replace(saved, pair=pair, selection=selection, decks=decks)
    if saved.data == campaign.fingerprint:
        return Fitting(kept, is_same=True)
    n_slides = sum(len(deck.added) for deck in decks.values())
    decks = {pair: dataclasses.replace(deck, added=()) for pair, deck in decks.items()}
    return Fitting(
        dataclasses.replace(kept, decks=decks),
        is_same=False,
        missing_names=n_missing,
        missing_slides=n_slides,
        missing_pairs=len(saved.decks) - len(decks),
        pair_is_missing=bool(saved.pair) and not pair,
    )


def _known_names(selection: Selection, campaign: Campaign) -> tuple[Selection, int]:
    """Return a selection without the names that a campaign has not, and how many these are."""
    n_missing = 0
    values: dict[str, Any] = {}
    for chosen in SELECTION_FIELDS:
        if chosen.kind in ("systems", "judges"):
            value = getattr(selection, chosen.name)
            known = set(chosen.names(campaign))
            values[chosen.name] = tuple(v for v in value if v in known or _is_pattern(v))
            n_missing += len(value) - len(values[chosen.name])
        elif chosen.kind == "slices":
            slices = getattr(selection, chosen.name)
            values[chosen.name] = tuple(words for words in slices if is_known(campaign, words))
            n_missing += len(slices) - len(values[chosen.name])
    return dataclasses.replace(selection, **values), n_missing


def _is_pattern(name: str) -> bool:
    return any(letter in name for letter in "*?[")


# Reading, with every type checked ---------------------------------------------------------------


@dataclass(frozen=True)
class _Part:
    """An object of the file, and where it stands in it."""

    values: Mapping[str, Any]
    where: str = "Session file"

    def text(self, key: str, default: str = "") -> str:
        return _text(self.values.get(key, default), f"{self.where}, {key}")

    def part(self, key: str) -> _Part:
        return _part(self.values.get(key, {}), f"{self.where}, {key}")

    def parts(self) -> dict[str, _Part]:
        return {
            _text(key, self.where): _part(value, f"{self.where}, {_shown(key)}")
            for key, value in self.values.items()
        }

    def texts(self, key: str) -> tuple[str, ...]:
        return self.list(key, _text)

    def list(self, key: str, read_one: Callable[[Any, str], T]) -> tuple[T, ...]:
        return _list(self.values.get(key, []), f"{self.where}, {key}", read_one)

    def plain(self) -> dict[str, Any]:
        """Return texts, numbers, switches and lists of texts, by name."""
        return {
            _text(key, self.where): _plain(value, f"{self.where}, {_shown(key)}")
            for key, value in self.values.items()
        }


def _whole(data: bytes) -> _Part:
    if len(data) > LARGEST:
        got = f"it has {len(data) / 2**20:.1f} MB, and {LARGEST // 2**20} MB is the limit"
        raise PodiumError("Session file", got, "Use a file that Podium saved.")
    try:
        values = json.loads(data.decode("utf-8-sig"), parse_constant=_refuse)
    except (ValueError, RecursionError):
        got, remedy = "it is not JSON", "Use a file that Podium saved."
        raise PodiumError("Session file", got, remedy) from None
    version = values.get(MARKER) if isinstance(values, dict) else None
    if version is None:
        raise PodiumError(
            "Session file", "it contains no Podium session", "Use a file that Podium saved."
        )
    if version != VERSION or isinstance(version, bool):
        raise PodiumError(
            "Session file",
            f"it has version {_shown(version)}, and this Podium reads version {VERSION}",
            "Open it with the Podium that saved it.",
        )
    return _part(values, "Session file")


def _refuse(constant: str) -> float:
    raise ValueError(constant)


def _read_certainty(part: _Part) -> Certainty:
    values = part.plain()
    allowed: dict[str, tuple[Any, ...]] = {
        "ranges": tuple(RANGES),
        "scope": SCOPES,
        "unit": tuple(UNITS),
        "runs": RUNS,
        "level": LEVELS,
    }
    for name in allowed.keys() & values.keys():
        value, choices = values[name], allowed[name]
        if isinstance(value, bool) or value not in choices:
            listed = ", ".join(map(str, choices))
            _wrong(f"{part.where}, {name}", value, f"one of {listed}")
        values[name] = choices[choices.index(value)]
    seed = values.get("seed", 0)
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed < 2**31:
        _wrong(f"{part.where}, seed", seed, "a whole number from 0 to 2147483647")
    known = {f.name for f in fields(Certainty)}
    return Certainty(**{name: value for name, value in values.items() if name in known})


def _read_selection(part: _Part) -> Selection:
    """Return a selection; its choices are read as they are declared."""
    values: dict[str, Any] = {}
    for chosen in SELECTION_FIELDS:
        if chosen.name not in part.values:
            continue
        value, where = part.values[chosen.name], f"{part.where}, {chosen.name}"
        if chosen.kind == "switch":
            if not any(value is allowed or (value == allowed and isinstance(value, str))
                       for allowed in (chosen.default, chosen.on)):  # fmt: skip
                _wrong(where, value, f"{chosen.default} or {chosen.on}")
            values[chosen.name] = value
        elif chosen.kind == "range":
            ends = _list(value, where, _whole_number)
            if len(ends) != 2:
                _wrong(where, value, "two numbers")
            values[chosen.name] = ends
        elif chosen.kind in ("systems", "judges", "slices"):
            values[chosen.name] = _list(value, where, _text)
        else:
            values[chosen.name] = _like(chosen.default, value, where)
    return Selection(**values)


def _like(default: Any, value: Any, where: str) -> Any:
    """Return a value that has the type of a default; a list becomes a tuple."""
    if isinstance(default, tuple):
        return _list(value, where, lambda one, place: _tuples(_plain(one, place)))
    number = isinstance(default, (int, float)) and not isinstance(default, bool)
    fits = isinstance(value, (int, float)) if number else isinstance(value, type(default))
    if not fits or (number and isinstance(value, bool)):
        _wrong(where, value, f"something like {default!r}")
    return value


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, list) else value


def _deck(deck: Arrangement) -> dict[str, Any]:
    return {
        "order": deck.order,
        **({} if deck.cut is None else {"cut": sorted(deck.cut)}),
        "notes": dict(deck.notes),
        "added": [_slide(slide) for slide in deck.added],
    }


def _slide(slide: Slide) -> dict[str, Any]:
    kept = {f.name: getattr(slide, f.name) for f in fields(Slide) if f.name != "block"}
    if isinstance(slide.block, Table):
        kept["table"] = dataclasses.asdict(slide.block)
    return kept


def _read_deck(part: _Part) -> Arrangement:
    notes = part.part("notes")
    return Arrangement(
        order=part.texts("order"),
        cut=frozenset(part.texts("cut")) if "cut" in part.values else None,
        added=part.list("added", lambda one, where: _read_slide(_part(one, where))),
        notes={_text(key, notes.where): notes.text(key) for key in notes.values},
    )


def _read_slide(part: _Part) -> Slide:
    text = {f.name: part.text(f.name) for f in fields(Slide) if f.name != "block"}
    if "table" not in part.values:
        return Slide(block=NOTHING, **text)
    table = part.part("table")
    heads = table.texts("heads")
    lines_of = table.list("lines", lambda line, where: _list(line, where, _text))
    numbers = table.list("numbers", _switch)
    if len(numbers) != len(heads) or any(len(line) != len(heads) for line in lines_of):
        _wrong(table.where, "lines of different lengths", "a cell under every head")
    left_out = _whole_number(table.values.get("left_out", 0), f"{table.where}, left_out")
    return Slide(block=Table(heads, lines_of, numbers, left_out), **text)


def _part(value: Any, where: str) -> _Part:
    if not isinstance(value, dict):
        _wrong(where, value, "an object")
    if len(value) > MOST:
        _wrong(where, f"{len(value)} parts", f"{MOST} at most")
    return _Part(value, where)


def _list(value: Any, where: str, read_one: Callable[[Any, str], T]) -> tuple[T, ...]:
    if not isinstance(value, list):
        _wrong(where, value, "a list")
    if len(value) > MOST:
        _wrong(where, f"{len(value)} parts", f"{MOST} at most")
    return tuple(read_one(one, f"{where}, {k}") for k, one in enumerate(value, start=1))


def _plain(value: Any, where: str) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        _wrong(where, value, "a number")
    if isinstance(value, (bool, int, float)):
        return value
    if isinstance(value, list):
        return list(_list(value, where, _plain_inside))
    return _text(value, where)


def _plain_inside(value: Any, where: str) -> Any:
    """Return a part of a list, which may be a list of texts itself."""
    return list(_list(value, where, _text)) if isinstance(value, list) else _plain(value, where)


def _text(value: Any, where: str) -> str:
    """Return a text without letters that no file of ours has: marks of slides, half letters."""
    if not isinstance(value, str):
        _wrong(where, value, "a text")
    if len(value) > LONGEST_TEXT:
        _wrong(where, f"a text of {len(value)} characters", f"{LONGEST_TEXT} at most")
    if any(0xD800 <= ord(letter) <= 0xDFFF or letter in (OPEN, CLOSE) for letter in value):
        _wrong(where, "a text with invalid characters", "plain text")
    return str(value)


def _whole_number(value: Any, where: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or abs(value) >= 10**15:
        _wrong(where, value, "a whole number")
    return int(value)


def _switch(value: Any, where: str) -> bool:
    if not isinstance(value, bool):
        _wrong(where, value, "true or false")
    return bool(value)


def _wrong(where: str, got: object, wanted: str) -> NoReturn:
    raise PodiumError(where, f"{_shown(got)} is not possible", f"Podium expects {wanted}.")


def _shown(value: object) -> str:
    """Return a value as an error shows it: short, and what it is where it is large."""
    if isinstance(value, (dict, list)):
        return "an object" if isinstance(value, dict) else "a list"
    words = (
        ascii(value) if not isinstance(value, str) else value.encode("ascii", "replace").decode()
    )
    return words if len(words) <= 60 else words[:57] + "..."
