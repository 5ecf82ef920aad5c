"""The form that asks what the columns of an unknown table mean, with what its rows then say."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import streamlit as st

from analysis.errors import PodiumError
from analysis.escaping import as_markdown
from analysis.findings.mapping import CHECK, LAYOUTS, OUTCOMES, QUESTION, sureness_in_words
from analysis.formats.mapping import COLUMN_ROLES, LISTS, Preview, Profile, apply_to
from analysis.formats.mapping.in_words import judgments_in_words
from analysis.formats.mapping.profile import Layout
from analysis.formats.mapping.winners import meanings
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


def show_mapper(file: UploadedFile) -> Profile | None:
    """Ask for the meaning of a table's columns; return the profile once it is asked to be used."""
    found = guessed(file)
    if found is None:
        return None
    raw, guess = found
    first = guess.profile
    table = raw.prepared(first)
    with st.container(border=True, key="mapper"):
        st.markdown(f"### {QUESTION}")
        st.caption(as_markdown(sureness_in_words(guess)))
        profile = _ask(table, first, file.name)
        part, problem = None, ""
        try:
            part = next(iter(apply_to(raw.table(), profile, file.name).values()))
        except PodiumError as error:
            problem = str(error)
        sentences = judgments_in_words(part) if part is not None else []
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
            rows = {name: list(values[:20]) for name, values in table.values.items()}
            st.dataframe(rows, hide_index=True, height=240)
    return profile if wanted else None


def _ask(table: Preview, first: Profile, name: str) -> Profile:
    layouts = list(LAYOUTS)
    layout: Any = st.radio(
        "Rows",
        layouts,
        index=layouts.index(_layout(first)),
        format_func=LAYOUTS.__getitem__,
        key=f"mapper.{name}.layout",
        label_visibility="collapsed",
    )
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
    options = [NONE, *table.columns]
    found = {}
    for row in (roles[k : k + 3] for k in range(0, len(roles), 3)):
        for role, column in zip(row, st.columns(3), strict=False):
            now = getattr(first, role)
            chosen = column.selectbox(
                _FIELDS[role].metadata["title"],
                options,
                index=options.index(now) if now in options else 0,
                help=_FIELDS[role].metadata["help"],
                key=f"mapper.{name}.{role}",
            )
            found[role] = "" if chosen == NONE else str(chosen)
    return found


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
    words = [word for word in table.known(values["winner"]) if word not in systems]
    usual = meanings(words, systems) | dict(first.winners)
    found = []
    outcomes = [NONE, *OUTCOMES]
    with st.container(horizontal=True, key="mapper-winners"):
        for word in words[:MOST_WORDS]:
            chosen: Any = st.selectbox(
                as_markdown(f"“{word}” means"),
                outcomes,
                index=outcomes.index(usual.get(word, NONE)),
                format_func=lambda outcome: OUTCOMES.get(outcome, "Unknown"),
                key=f"mapper.{name}.word.{values['winner']}.{word}",
                width=220,
            )
            if chosen != NONE:
                found.append((word, chosen))
    return tuple(found)
