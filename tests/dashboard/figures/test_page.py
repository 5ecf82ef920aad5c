"""A downloaded figure is a whole page: valid, self-contained, in its own light or dark."""

from __future__ import annotations

from html.parser import HTMLParser

import plotly.graph_objects as go
import pytest

from dashboard.design import INKS, Mode
from dashboard.figures.theme import figure_page, finish


class Elements(HTMLParser):
    """The elements of a page with their attributes, and the text of the first of each."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.attributes: dict[str, list[dict[str, str | None]]] = {}
        self.text: dict[str, str] = {}
        self._open: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes.setdefault(tag, []).append(dict(attrs))
        self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        if self._open:
            self.text.setdefault(self._open[-1], data)


def figure_in(mode: Mode) -> go.Figure:
    figure = go.Figure(go.Scatter(x=[1, 2], y=[3, 1], text=["a</script><b>", "b"]))
    return finish(figure, mode, alt='Two <systems>, "a" & b', height=300, title="a & b")


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_a_downloaded_figure_says_its_language_its_content_and_stands_on_its_own_paper(
    mode: Mode,
) -> None:
    page = figure_page(figure_in(mode), "Standings, <x>", {})
    assert page.startswith("<!doctype html>")
    found = Elements(page)
    assert found.attributes["html"] == [{"lang": "en"}]
    assert found.text["title"] == "Standings, <x>"
    assert {"role": "img", "aria-label": 'Two <systems>, "a" & b'} in found.attributes["main"]
    assert f"background: {INKS[mode].paper};" in found.text["style"]


def test_a_downloaded_figure_loads_nothing() -> None:
    found = Elements(figure_page(figure_in("light"), "x", {"displaylogo": False}))
    assert "link" not in found.attributes
    assert "img" not in found.attributes
    assert not any("src" in attributes for attributes in found.attributes["script"])
    assert len(found.attributes["html"]) == len(found.attributes["body"]) == 1
