"""The user's changes to the slides of each language pair, and notes on results."""

from __future__ import annotations

from analysis.campaign import Campaign
from analysis.reporting.deck.slides import Arrangement
from dashboard.session import state


def want_slide(key: str) -> None:
    """Ask, from a callback, that the deck opens at a slide."""
    state.session().slide_wanted = key


def take_wanted_slide() -> str:
    """Return the slide that the deck is to open at, once; nothing for the first."""
    session = state.session()
    wanted, session.slide_wanted = session.slide_wanted, ""
    return wanted


def arrangement(place: tuple[str, str]) -> Arrangement:
    """Return the user's changes to the deck of a campaign's pair."""
    return state.session().decks.get(place, Arrangement())


def hold_arrangement(place: tuple[str, str], arrangement: Arrangement) -> None:
    """Hold the changes to the deck of a campaign's pair."""
    state.session().decks[place] = arrangement


def write_note(place: tuple[str, str], slide: str, words: str) -> None:
    """Hold a note on a result, from a callback; other fields of the same note show it, too."""
    changed = arrangement(place).noted(slide, words)
    hold_arrangement(place, changed)
    show_deck_again(place, changed)


def decks_of(campaign: Campaign) -> dict[str, Arrangement]:
    """Return the user's changes to the decks of a campaign, notes among them, by pair."""
    return {
        pair: deck
        for (data, pair), deck in state.session().decks.items()
        if data == campaign.fingerprint and deck != Arrangement()
    }


def show_deck_again(place: tuple[str, str], deck: Arrangement) -> None:
    """Set the widgets of a deck and of notes that are on the screen already."""
    shown, noted, beside = f"deck.show.{place[1]}.", f"deck.note.{place[1]}.", note_key(place)
    for key in state.widgets():
        if key.startswith(shown) and deck.cut is not None:
            state.choose_in_callback(key, key.removeprefix(shown) not in deck.cut)
        elif key.startswith(noted):
            state.choose_in_callback(key, deck.notes.get(key.removeprefix(noted), ""))
        elif key.startswith(beside):
            slide = key.removeprefix(beside).partition("|")[0]
            state.choose_in_callback(key, deck.notes.get(slide, ""))


def note_key(place: tuple[str, str], slide: str = "", name: str = "") -> str:
    """Return the key of the note's widget beside a result, ``name``, that has this slide."""
    return f"note.{place[0]}.{place[1]}." + (f"{slide}|{name}" if slide else "")
