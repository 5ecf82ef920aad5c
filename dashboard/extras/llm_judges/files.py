"""Where files of LLM judges come from: a section of Data, kept for this session and campaign."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from analysis.campaign import Campaign
from dashboard.session import state
from dashboard.session.view import ViewContext

LABEL = "LLM judges"
FILES, NAMED = "llm-judges", "llm-judges-named"


def show(context: ViewContext) -> None:
    """Ask for votes of LLM judges, and which judges of the campaign are some."""
    given = st.file_uploader(
        "Votes of LLM judges, one file each",
        accept_multiple_files=True,
        key="machines.files",
        help="Votes on the same systems and questions, in any format that Podium reads.",
    )
    before = files_of(context), named_of(context)
    take(context.campaign, [(file.name, file.getvalue()) for file in given])
    present = [context.judgments.judges[k] for k in sorted(set(context.judgments.task_judge))]
    if len(present) > 1:
        named = st.multiselect(
            "Judges of this campaign that are LLMs",
            present,
            key="machines.judges",
            placeholder="choose judges",
            persist_state="session",
        )
        state.hold(_of(context.campaign, NAMED))
        state.hold(_of(context.campaign, NAMED), named)
    if before != (files_of(context), named_of(context)):
        st.rerun()  # the list of pages is drawn before this one
    if (files_of(context) or named_of(context)) and (page := state.page("agreement")) is not None:
        st.page_link(
            page, label="See their agreement with human judges", icon=":material/handshake:"
        )


def take(campaign: Campaign, files: Sequence[tuple[str, bytes]]) -> None:
    """Keep files, by name and content, as votes of LLM judges on a campaign's items."""
    if files:
        state.hold(_of(campaign, FILES), files)


def saved(context: ViewContext) -> dict[str, tuple[str, ...]]:
    """Return what a saved session keeps: names of files, and judges of the campaign."""
    return {FILES: tuple(name for name, _ in files_of(context)), NAMED: named_of(context)}


def reopen(campaign: Campaign, others: Mapping[str, tuple[str, ...]]) -> list[str]:
    """Take over the judges that a saved session names; return the names of missing files."""
    if named := others.get(NAMED, ()):
        state.hold(_of(campaign, NAMED), named)
        state.session().wanted["machines.judges"] = list(named)
    here = {name for name, _ in state.held(_of(campaign, FILES))}
    return [name for name in others.get(FILES, ()) if name not in here]


def files_of(context: ViewContext) -> tuple[tuple[str, bytes], ...]:
    """Return names and contents of the files of LLM judges for this campaign."""
    return state.held(_of(context.campaign, FILES))


def named_of(context: ViewContext) -> tuple[str, ...]:
    """Return the judges of the campaign that are LLMs."""
    present = set(context.judgments.judges)
    return tuple(name for name in state.held(_of(context.campaign, NAMED)) if name in present)


def _of(campaign: Campaign, what: str) -> str:
    return f"{what}.{campaign.fingerprint}"
