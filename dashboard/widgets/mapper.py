"""The form that asks what the columns of an unknown table mean, with what its rows then say."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from analysis.errors import PodiumError
from analysis.escaping import as_markdown
from analysis.formats.mapping import COLUMN_ROLES, LISTS, Guess, Preview, Profile, apply_to
from analysis.formats.mapping.in_words import (
    CHECK,
    LAYOUTS,
    OUTCOMES,
    QUESTION,
    TEXTS,
    TEXTS_HELP,
    judgments_in_words,
    sureness_in_words,
)
from analysis.formats.mapping.profile import Layout, Named
from analysis.formats.mapping.winners import meaning_of, meanings
from dashboard import compute
from dashboard.compute.uploads import UploadedFile, guessed

NONE = "–"
MOST_WORDS = 12
"""Words of winners that are asked about, one by one."""

OF_LAYOUT: dict[Layout, tuple[str, ...]] = {
    "pairs": ("system_a", "system_b", "winner"),
    "wide": (),
    "long": ("system", "rank", "score"),
}
COMMON = ("judge", "segment")
MORE = ("document", "domain", "pair", "source", "target", "seconds", "task", "criterion")
_FIELDS = {f.name: f for f in fields(Profile)}


def show_mapper(file: UploadedFile, level: str = "##") -> Profile | None:
    """Ask for the meaning of a table's columns; return the profile once it is asked to be used.

    ``level`` is that of the heading.
    """
    found = guessed(file)
    if found is None:
        return None
    raw, guess = found
    first = guess.profile
    table = raw.prepared(first)
    with st.container(border=True, key="mapper"):
        st.markdown(f"{level} {QUESTION}")
        st.caption(as_markdown(sureness_in_words(guess)))
        layout = _ask_layout(guess, file.name)
        if layout is None:
            _show_rows(table)
            return None
        profile = _ask(table, first, layout, file.name)
        sentences, problem = [], ""
        try:
            sentences = judgments_in_words(apply_to(raw.table(), profile, file.name))
        except PodiumError as error:
            problem = str(error)
        if sentences:
            st.markdown("\n".join(f"- {as_markdown(sentence)}" for sentence in sentences))
            st.caption(CHECK)
        else:
            st.info(as_markdown(problem or "No row of these columns has a judgment."))
        with st.container(horizontal=True):
            wanted = st.button(
                "Use these columns",
                type="primary" if guess.is_sure else "secondary",
                disabled=not sentences,
                key="mapper.read",
            )
            st.download_button(
                "Keep as a profile",
                data=compute.fetched(profile.to_yaml, "application/yaml", "profile.yaml"),
                file_name="profile.yaml",
                mime="application/yaml",
                disabled=not sentences,
                on_click="ignore",
                key="mapper.keep",
                icon=":material/download:",
                help="A small file for --map on the command line, or to upload with the next "
                "such table. It contains no judgments.",
            )
        with st.expander("The first rows of the table"):
            _show_rows(table)
    return profile if wanted else None


def _show_rows(table: Preview) -> None:
    rows = {name: list(values[:20]) for name, values in table.values.items()}
    st.dataframe(rows, hide_index=True, height=240)


def _ask_layout(guess: Guess, name: str) -> Layout | None:
    """Ask what a row is; nothing is chosen yet where the guess is not certain."""
    layouts = list(LAYOUTS)
    is_asked = guess.is_complete and not guess.is_sure
    chosen: Any = st.radio(
        "What is a row?",
        layouts,
        index=None if is_asked else layouts.index(_layout(guess.profile)),
        format_func=LAYOUTS.__getitem__,
        key=f"mapper.{name}.layout",
    )
    found: Layout | None = chosen
    return found


def _ask(table: Preview, first: Profile, layout: Layout, name: str) -> Profile:
    values: dict[str, Any] = dict.fromkeys(COLUMN_ROLES, "") | dict.fromkeys(LISTS, ())
    values["outputs"] = first.outputs if layout == "pairs" else ()
    if layout != "wide":
        values["criteria"] = _ask_columns(table, first, "criteria", name)
    roles = OF_LAYOUT[layout]
    if layout == "pairs" and first.score_a and not first.winner:
        roles = ("system_a", "system_b", "score_a", "score_b")
    if layout == "wide":
        for role in ("systems", "ranks", "scores"):
            values[role] = _ask_columns(table, first, role, name)
    values |= _ask_roles(table, first, (*roles, *COMMON), name)
    values["lengths"] = _ask_texts(table, first, name) if layout == "pairs" else ()
    if values.get("winner"):
        values["winners"] = _ask_winners(table, first, values, name)
    if values.get("score") or values.get("scores") or values.get("score_a"):
        better: Any = st.radio(
            "Good scores are",
            ["higher", "lower"],
            index=["higher", "lower"].index(first.better),
            horizontal=True,
            key=f"mapper.{name}.better",
        )
        values["better"] = better
    with st.expander("More columns: document, domain, languages, time, attributes"):
        values |= _ask_roles(table, first, MORE, name)
        values["attributes"] = _ask_columns(table, first, "attributes", name)
    return replace(first, **values)


def _layout(profile: Profile) -> Layout:
    try:
        return profile.layout
    except PodiumError:
        return "pairs"


def _ask_roles(table: Preview, first: Profile, roles: tuple[str, ...], name: str) -> dict[str, str]:
    found = {}
    for row in (roles[k : k + 3] for k in range(0, len(roles), 3)):
        for role, place in zip(row, st.columns(3), strict=False):
            texts = _FIELDS[role].metadata
            asked = (place, table, texts["title"], texts["help"], getattr(first, role))
            found[role] = _ask_column(*asked, key=f"mapper.{name}.{role}")
    return found


def _ask_texts(table: Preview, first: Profile, name: str) -> Named:
    """Ask for the texts of both outputs; without both there is nothing to measure."""
    unit, now = first.lengths[0] if first.lengths else ("characters", ("", ""))
    found = tuple(
        _ask_column(place, table, title, TEXTS_HELP, one, key=f"mapper.{name}.{title}")
        for place, title, one in zip(st.columns(3), TEXTS, now, strict=False)
    )
    return ((unit, found),) if all(found) and len({*found}) == 2 else ()


def _ask_column(
    place: DeltaGenerator, table: Preview, title: str, help: str, now: str, key: str
) -> str:
    options = [NONE, *table.columns]
    index = options.index(now) if now in options else 0
    chosen = place.selectbox(title, options, index=index, help=help, key=key)
    return "" if chosen == NONE else str(chosen)


def _ask_columns(table: Preview, first: Profile, role: str, name: str) -> tuple[str, ...]:
    chosen = st.multiselect(
        _FIELDS[role].metadata["title"],
        list(table.columns),
        default=[column for column in getattr(first, role) if column in table.columns],
        help=_FIELDS[role].metadata["help"],
        key=f"mapper.{name}.{role}",
        placeholder="none",
    )
    return tuple(chosen)


def _ask_winners(
    table: Preview, first: Profile, values: dict[str, Any], name: str
) -> tuple[tuple[str, Any], ...]:
    """Ask what the words of the column of winners mean that name no system."""
    systems = {
        system
        for role in ("system_a", "system_b")
        if values[role]
        for system in table.known(values[role])
    }
    several = [one for one in first.winners if one[0].endswith("*") or ".." in one[0]]
    if values["winner"] != first.winner:
        several = []
    words = [word for word, _ in several] + [
        word
        for word in table.known(values["winner"])
        if word not in systems and meaning_of(word, several) is None
    ]
    usual = meanings(words, systems) | dict(first.winners)
    found = []
    outcomes = [NONE, *OUTCOMES]
    with st.container(horizontal=True, key="mapper-winners"):
        for word in words[:MOST_WORDS]:
            chosen: Any = st.selectbox(
                as_markdown(f"“{word.removesuffix('*')}{'…' * word.endswith('*')}” means"),
                outcomes,
                index=outcomes.index(usual.get(word, NONE)),
                format_func=lambda outcome: OUTCOMES.get(outcome, "Unknown"),
                key=f"mapper.{name}.word.{values['winner']}.{word}",
                width=220,
            )
            if chosen != NONE:
                found.append((word, chosen))
    return tuple(found)
