"""A meeting's deck: one message a slide, nothing runs off, names hide, the same bytes again."""

from __future__ import annotations

import dataclasses
import io
import itertools
import re
import zipfile
from functools import cache
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest
from pptx import Presentation

from analysis.campaign import Campaign
from analysis.comparing.comparison import Column, compare
from analysis.comparing.what_if import sweep_radius
from analysis.drawing.rows import Rows
from analysis.drawing.svg.lettering import cut_apart, cut_to, text_width, wrapped
from analysis.errors import PodiumError
from analysis.judges.agreement import agreement, judged_once
from analysis.names import short_names
from analysis.next_campaign.planning import Plan, plan
from analysis.rankers import COMPARED_METHODS, ranker_class
from analysis.ranking.ranking import rank
from analysis.reporting.deck.assembly import Evidence, build_deck
from analysis.reporting.deck.page import deck_file, deck_pdf
from analysis.reporting.deck.picture import HEIGHT, LABEL, SMALLEST_TEXT, WIDTH, slide_svg
from analysis.reporting.deck.powerpoint import deck_pptx
from analysis.reporting.deck.slides import Arrangement, Deck, Slider, Table, arrange, table_slide
from analysis.samples import sample_campaign
from analysis.wording import capital, fixed
from tests.building import CampaignBuilder

SPACE = "{http://www.w3.org/2000/svg}"


def campaign_of(n: int, name: str = "a-rather-long-name-of-system") -> Campaign:
    """Rank n systems, five at a time."""
    builder, rng = CampaignBuilder(), np.random.default_rng(n)
    for k in range(40 * n):
        shown = rng.choice(n, 5, replace=False)
        noisy = shown / 2 + rng.normal(0, 2, 5)
        ranks = (noisy.argsort().argsort() + 1).tolist()
        outputs = [(f"{name}-{system:02d}",) for system in shown]
        builder.add_task("fr-en", str(k % 60), f"judge {k % 7}", outputs, ranks)
    return builder.build()


def deck_of(campaign: Campaign, title: str = "A campaign") -> Deck:
    judgments = campaign.judgments()
    ranker = ranker_class("expected-wins")()
    ranking = rank(judgments, ranker)
    others = [rank(judgments, ranker_class(name)()) for name in COMPARED_METHODS]
    assert ranking.verdict is not None
    found: Plan | None = None
    try:
        found = plan(judgments, ranking.verdict, draws=40)
    except PodiumError:
        found = None
    return build_deck(
        Evidence(
            title=title,
            about=f"{title} · French → English · {ranker.title}",
            names=short_names(judgments.systems),
            judgments=judgments,
            ranking=ranking,
            score_label=ranker.score_label,
            comparison=compare([Column.from_ranking(r) for r in others]),
            agreement=agreement(judged_once(campaign), runs=50),
            sweep=sweep_radius(ranking.scores, judgments.counts),
            plan=found,
        )
    )


@pytest.fixture(scope="module", params=["sample", 20, 59])
def deck(request: pytest.FixtureRequest) -> Deck:
    if request.param == "sample":
        return deck_of(sample_campaign("wmt14-cs-en"))
    return deck_of_systems(request.param)


@cache
def deck_of_systems(n: int) -> Deck:
    return deck_of(campaign_of(n))


@pytest.fixture(scope="module")
def small() -> Deck:
    return deck_of_systems(6)


def texts(svg: str, step: int | None = None) -> list[tuple[float, float, float, float, str]]:
    """Left, right, foot and size of every text that shows, with its words."""
    root = ElementTree.fromstring(svg)
    for group in root.iter(f"{SPACE}g"):
        if (
            group.get("class") == "step"
            and step is not None
            and group.get("data-step") != str(step)
        ):
            for text in list(group):
                group.remove(text)
    for group in root.iter(f"{SPACE}g"):
        moved = re.match(r"translate\(([\d.]+) ([\d.]+)\)", group.get("transform", ""))
        for text in group.iter(f"{SPACE}text") if moved else ():
            text.set("x", str(float(text.get("x", 0)) + float(moved[1])))
            text.set("y", str(float(text.get("y", 0)) + float(moved[2])))
    found = []
    for text in root.iter(f"{SPACE}text"):
        words, size = "".join(text.itertext()), float(text.get("font-size", "0"))
        x, wide = (
            float(text.get("x", "0")),
            text_width(words, size, "bold" in text.get("class", "")),
        )
        left = x - {"start": 0, "middle": wide / 2, "end": wide}[text.get("text-anchor", "start")]
        found.append((left, left + wide, float(text.get("y", "0")), size, words))
    return found


KEYS = ["standings", "matrix", "methods", "agreement", "radius", "next"]


def test_the_deck_goes_from_the_result_to_what_is_next_and_no_slide_is_a_list(deck: Deck) -> None:
    keys = [slide.key for slide in deck.slides]
    assert [key for key in keys if not key.startswith("standings-")] == KEYS
    for place in (k for k, key in enumerate(keys) if not key.endswith("-table")):
        drawn = ElementTree.fromstring(slide_svg(deck, place))
        marks = [e for e in drawn.iter() if e.tag.removeprefix(SPACE) in ("circle", "rect", "path")]
        assert len(marks) > 3, "a picture"


def test_a_title_has_two_lines_at_most(deck: Deck) -> None:
    deck = dataclasses.replace(
        deck, slides=tuple(s for s in deck.slides if not isinstance(s.block, Table))
    )
    longest = [dataclasses.replace(s, title=f"{s.title} {s.title} " * 3) for s in deck.slides
               if not isinstance(s.block, Slider)]  # fmt: skip
    for shown in (deck, dataclasses.replace(deck, slides=tuple(longest))):
        for place, slide in enumerate(shown.slides):
            root = ElementTree.fromstring(slide_svg(shown, place))
            titles = root.iterfind(f".//{SPACE}text[@class='bold']")
            lines = [t for t in titles if t.get("x") == "60.0"]
            assert 1 <= len(lines) <= 2 + isinstance(slide.block, Slider), slide.key
            assert {float(t.get("font-size", 0)) for t in lines} <= {40.0, 34.0, 30.0, 24.0}


@pytest.mark.parametrize("anonymous", [False, True])
def test_text_is_large_and_stays_on_the_slide(deck: Deck, anonymous: bool) -> None:
    notes = {s.key: "To say. " * 30 for s in deck.slides}
    noted = arrange(deck, Arrangement(cut=frozenset(), notes=notes))
    for shown, place in itertools.product((deck, noted), range(len(deck.slides))):
        block = shown.slides[place].block
        svg = slide_svg(shown, place, anonymous=anonymous, all_steps=True)
        steps = range(0, len(block.steps), 5) if isinstance(block, Slider) else (None,)
        for step in steps:
            for left, right, foot, size, words in texts(svg, step):
                assert size >= LABEL, words
                assert left >= 0, words
                assert right <= WIDTH, words
                assert foot <= HEIGHT - 10, words


def test_all_slides_of_one_ranking_have_the_same_axis_and_bands(deck: Deck) -> None:
    shown = [slide.block for slide in deck.slides if isinstance(slide.block, Rows)]
    shown = [block for block in shown if block.axis is not None]
    assert len({block.reach for block in shown}) == 1
    assert sum(len(block.rows) for block in shown) == len(deck.systems)
    for block in shown:
        assert all(0 <= first < end <= len(block.rows) for first, end in block.bands)
        assert all(0 < row < len(block.rows) for row, _ in block.cuts)


def test_names_that_would_be_cut_alike_stay_apart() -> None:
    names = ["llama-3.1-70b-instruct", "llama-3.1-405b-instruct"]
    assert cut_to(names[0], 28, 200) == cut_to(names[1], 28, 200)
    assert len({cut_apart(name, names, 28, 200) for name in names}) == 2
    assert cut_apart("gpt-4", names, 28, 200) == "gpt-4"


def test_sentences_are_at_least_24_pixels_high_and_no_two_texts_overlap(deck: Deck) -> None:
    for place, slide in enumerate(deck.slides):
        block = slide.block
        found = texts(slide_svg(deck, place), block.start if isinstance(block, Slider) else None)
        for _, _, foot, size, words in found:
            if len(words) > 75 and foot > 60 and not words.startswith("•"):
                assert size >= SMALLEST_TEXT, words
        for one, other in itertools.combinations(found, 2):
            apart = one[1] <= other[0] or other[1] <= one[0]
            upper, lower = sorted((one, other), key=lambda text: text[2])
            assert apart or lower[2] - upper[2] >= 0.74 * lower[3], (one[4], other[4])


def test_every_system_is_on_a_slide_with_its_result() -> None:
    deck = deck_of_systems(59)
    shown = [words for place, slide in enumerate(deck.slides) if slide.key.startswith("standings")
             for *_, words in texts(slide_svg(deck, place))]  # fmt: skip
    assert sum(words.endswith(" of 59") for words in shown) == 2 * 59 + 8, (
        "59 rank ranges, 3 titles and how many are first, as pictures and tables"
    )
    assert not any(words.startswith("and ") for words in shown)


@pytest.mark.parametrize("key", ["matrix", "methods", "radius"])
def test_other_slides_say_how_many_systems_they_leave_out(key: str) -> None:
    deck = deck_of_systems(59)
    place = [slide.key for slide in deck.slides].index(key)
    words = " ".join(text for *_, text in texts(slide_svg(deck, place)))
    assert re.search(r"and \d+ more|The first 10 of 59", words)


def test_an_anonymous_picture_and_pdf_name_nobody(small: Deck) -> None:
    for place in range(len(small.slides)):
        svg = slide_svg(small, place, anonymous=True)
        shown = "".join(ElementTree.fromstring(svg).itertext())
        assert not any(name in shown for name in small.names)
        assert not any(alias in "".join(ElementTree.fromstring(slide_svg(small, place)).itertext())
                       for alias in small.aliases)  # fmt: skip
    named, hidden = deck_pdf(small), deck_pdf(small, anonymous=True)
    assert named != hidden


def test_aliases_are_all_different_and_do_not_follow_the_order(small: Deck) -> None:
    assert len({*small.aliases}) == 6
    assert list(small.aliases) != sorted(small.aliases)


def test_the_slider_holds_every_radius_and_starts_at_the_tuned_one(small: Deck) -> None:
    (slider,) = (s.block for s in small.slides if isinstance(s.block, Slider))
    sizes = [max(step.groups) for step in slider.steps]
    assert sizes == sorted(sizes, reverse=True), "a wider radius never makes more groups"
    assert sizes[-1] < sizes[0]
    assert "fits best" in slider.steps[slider.start].value
    whole = slide_svg(small, KEYS.index("radius"), all_steps=True)
    assert whole.count('class="step"') == len(slider.steps)
    assert whole.count("display:none") == len(slider.steps) - 1


def test_slides_are_reordered_cut_and_annotated(small: Deck) -> None:
    keys = [slide.key for slide in small.slides]
    changed = (
        Arrangement()
        .moved("standings", 1, keys)
        .shown("methods", False, small)
        .noted("agreement", " Hear ")
    )
    shown = arrange(small, changed)
    assert [slide.key for slide in shown.slides][:3] == ["matrix", "standings", "agreement"]
    assert "methods" not in {slide.key for slide in shown.slides}
    assert shown.slides[2].note == "Hear"
    assert "Hear" in slide_svg(shown, 2)
    assert len(arrange(small, changed, with_cut=True).slides) == len(small.slides)
    assert "standings-table" not in {slide.key for slide in shown.slides}, "optional"
    back = changed.shown("methods", True, small).noted("agreement", "").moved("standings", -1, [
        "matrix", "standings", *keys[2:]])  # fmt: skip
    assert arrange(small, back) == arrange(small, Arrangement())


def test_a_deck_is_one_file_that_asks_nobody_and_trusts_no_name() -> None:
    evil = "</script><script>alert(1)</script><img src=x onerror=alert(2)>"
    deck = deck_of(campaign_of(6, evil), title=evil)
    page = deck_file(deck)
    assert page == deck_file(deck)
    assert page.count("<script>") == 1
    assert "<img" not in page
    assert not re.search(r"(src|href)=[\"']?https?:", page)
    assert "script-src 'sha256-" in page
    assert "unsafe-eval" not in page


def test_the_pdf_has_a_page_for_each_slide_and_the_same_bytes(small: Deck) -> None:
    pdf = deck_pdf(small)
    assert pdf == deck_pdf(small)
    assert len(re.findall(rb"/Type ?/Page[^s]", pdf)) == len(small.slides)


def slides_of(pptx: bytes) -> list[Any]:
    return list(Presentation(io.BytesIO(pptx)).slides)


def test_powerpoint_has_every_message_as_text_a_picture_each_and_tables(small: Deck) -> None:
    whole = Arrangement(cut=frozenset(), notes={"matrix": "Thank the judges."})
    noted = arrange(small, whole)
    made = deck_pptx(noted)
    assert made == deck_pptx(noted), "the same bytes"
    slides = slides_of(made)
    titles = [slide.shapes.title.text_frame.text for slide in slides]
    assert titles == [noted.plain(slide.title) for slide in noted.slides]
    pictures = [sum(shape.shape_type == 13 for shape in slide.shapes) for slide in slides]
    assert pictures == [1, 1, 1, 1, 1, 1, 0], "the last one is the table of the standings"
    (table,) = (shape.table for shape in slides[-1].shapes if shape.has_table)
    cells = [[cell.text_frame.text for cell in row.cells] for row in table.rows]
    rows = small.slides[0].block
    assert isinstance(rows, Rows)
    assert [row[0] for row in cells[1:]] == [small.plain(row.name) for row in rows.rows]
    assert cells[0] == ["System", "Score", "Interval", "Ranks"]
    ends = [row.thin for row in rows.rows if row.thin is not None]
    assert [row[2] for row in cells[1:]] == [
        f"{fixed(low, 3)} to {fixed(high, 3)}" for low, high in ends
    ]
    assert slides[1].notes_slide.notes_text_frame.text == "Thank the judges."


def test_powerpoint_names_nobody_who_is_anonymous_and_takes_any_name() -> None:
    deck = deck_of(campaign_of(6, "a\x1b\x0b<b>=1+1 " + "x" * 80))
    hidden = zipfile.ZipFile(io.BytesIO(deck_pptx(deck, anonymous=True)))
    xml = b"".join(hidden.read(name) for name in hidden.namelist() if name.endswith(".xml"))
    assert b"xxxx" not in xml
    assert b"System A" in xml
    assert len(slides_of(deck_pptx(deck))) == len(deck.slides)


def test_a_slide_without_what_it_needs_is_not_there(small: Deck) -> None:
    campaign = campaign_of(6)
    judgments = campaign.judgments()
    ranking = rank(judgments, ranker_class("expected-wins")())
    bare = build_deck(
        Evidence("t", "a", short_names(judgments.systems), judgments, ranking, "score")
    )
    assert [slide.key for slide in bare.slides] == ["standings", "matrix", "standings-table"]
    assert [slide.key for slide in arrange(bare, Arrangement()).slides] == ["standings", "matrix"]
    lone = dataclasses.replace(bare, slides=bare.slides[:1])
    assert len(re.findall(rb"/Type ?/Page[^s]", deck_pdf(lone))) == 1


def test_any_result_becomes_a_slide_whose_names_hide_too(small: Deck) -> None:
    leader, second = small.names[:2]
    frame = pd.DataFrame(
        {
            "system": [small.systems[k % 6] for k in range(40)],
            "wins": range(1000, 1040),
            "share_of_all_the_judgments": np.linspace(0, 1, 40),
            **{f"further column number {k}": ["words " * 9] * 40 for k in range(6)},
        }
    )
    added = table_slide(
        "result.x", f"{capital(leader)} beats {second}", frame, "judges", "Judges", "Then"
    )
    shown = arrange(small, Arrangement(cut=frozenset()).adding(added).adding(added))
    assert [slide.key for slide in shown.slides][-1] == "result.x"
    assert len(shown.slides) == len(small.slides) + 1
    svg = slide_svg(shown, len(shown.slides) - 1)
    words = "".join(ElementTree.fromstring(svg).itertext())
    assert "A-rather" not in words, "a name stays as it is, in front, too"
    assert leader[-9:] in words, "the end of a name that is cut in the middle"
    assert "1,000" in words
    assert re.search(r"and \d+ more", words)
    for left, right, foot, size, text in texts(svg):
        assert (left >= 0, right <= WIDTH, foot <= HEIGHT - 10, size >= LABEL) == (True,) * 4, text
    hidden = slide_svg(shown, len(shown.slides) - 1, anonymous=True)
    said = "".join(ElementTree.fromstring(hidden).itertext())
    assert "system-0" not in said
    assert "rather" not in said


def test_words_break_where_they_must() -> None:
    for line in wrapped("one two three four " * 9 + "x" * 200, 30, 400):
        assert text_width(line, 30) <= 400
    assert text_width(cut_to("中文系统" * 20, 20, 300), 20) <= 300
    assert cut_to("short", 20, 300) == "short"


def test_a_slide_without_a_finding_is_left_out_until_it_is_asked_for(small: Deck) -> None:
    assert {"standings-table"} <= small.optional <= {"standings-table", "radius", "next"}
    default = [slide.key for slide in arrange(small, Arrangement()).slides]
    assert not {*default} & small.optional
    assert default[:4] == ["standings", "matrix", "methods", "agreement"]
    asked = Arrangement().shown("standings-table", True, small)
    assert "standings-table" in {slide.key for slide in arrange(small, asked).slides}
    assert "next" not in {slide.key for slide in arrange(small, asked).slides} & small.optional


def test_html_pdf_and_powerpoint_have_the_same_slides(small: Deck) -> None:
    shown = arrange(small, Arrangement())
    assert len(slides_of(deck_pptx(shown))) == len(shown.slides)
    assert deck_file(shown).count('class="screen"') == len(shown.slides)
    assert len(re.findall(rb"/Type ?/Page[^s]", deck_pdf(shown))) == len(shown.slides)
