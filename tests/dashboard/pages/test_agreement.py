"""Agreement: the finding, published values beside, every two judges."""

from __future__ import annotations

import dataclasses
import math
import threading
from collections.abc import Callable

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from analysis import published
from analysis.campaign import Campaign, Selection
from analysis.comparing.language_pairs import PairResult
from analysis.judges.agreement import Agreement, Rates, agreement, judged_once
from analysis.judges.history import (
    agreement_frame,
    compare_with_history,
    explain_copies,
    explain_identical,
    explain_intervals,
    explain_published,
    headline,
    kappas_by_judge,
    published_kappas,
)
from analysis.judges.judge_kappas import JudgeAgreement, judge_agreement
from analysis.judges.judge_table import judges
from analysis.judges.kappa import ENOUGH, Kappa, landis_koch
from analysis.rankers.ratios import ExpectedWins
from analysis.ranking.certainty import Certainty
from analysis.ranking.ranking import rank
from analysis.reporting.paper_tables import kappa_table
from analysis.reporting.report import PairReport
from analysis.samples import sample_campaign
from analysis.wording import claim, fixed
from dashboard import compute
from dashboard.compute import store
from dashboard.compute.contexts import make_context
from dashboard.figures.scenes import judge_heatmap, kappa_figure
from dashboard.figures.theme import alt_text
from dashboard.session.state import Upload
from dashboard.widgets.facts import _kappa
from tests.building import CampaignBuilder
from tests.drawing_text import drawn_text
from tests.opening import open_address

UNKNOWN = Kappa(0, 0, 0, 0)


@pytest.fixture(scope="module")
def found() -> Agreement:
    return agreement(sample_campaign("wmt14-fr-en").judgments(incomplete="drop-pair"), runs=200)


def rates(agree: int, comparable: int = 100, ties: int = 20, total: int = 100) -> Rates:
    return Rates(Kappa(agree, comparable, ties, total), Kappa(agree, comparable, ties, total))


# What is said ----------------------------------------------------------------------------------


def test_published_kappas_are_those_of_the_papers_oldest_first() -> None:
    rows = published_kappas("ces-eng")
    table = published.kappas("cs-en")
    assert (rows[0].campaign, rows[-2].campaign, rows[-1].campaign) == ("WMT11", "WMT14", "WMT15")
    assert rows[-2].inter == table.loc["wmt14", "inter"]


def test_wmt15s_kappa_is_the_printed_one_with_identical_outputs_once() -> None:
    """mjpost/wmt15, collapsed, inter and intra of English–Finnish."""
    (only,) = published_kappas("eng-fin")
    assert (only.campaign, only.inter, only.intra) == ("WMT15", 0.549, 0.697)
    again = Agreement(rates(50), rates(50), 0, 0.95, 0)
    exact = dataclasses.replace(again, published=Rates(Kappa(4280, 5888, 3228, 24399), UNKNOWN))
    assert compare_with_history(exact, (only,)) == "Counted the WMT way: κ 0.55, as in WMT15 (0.55)"


def test_a_pair_that_was_judged_once_has_one_row() -> None:
    assert [row.campaign for row in published_kappas("hi-en")] == ["WMT14"]


def test_a_pair_that_no_workshop_published_has_none() -> None:
    assert published_kappas("eng-jpn") == ()
    assert (
        compare_with_history(Agreement(rates(50), rates(50), 0, 0.95, 0), ())
        == "κ of this campaign"
    )


def test_the_sentence_holds_both_kappas_in_numbers_and_words(found: Agreement) -> None:
    words = headline(found)
    inter, intra = found.strict.inter, found.strict.intra
    word = landis_koch(inter.kappa).capitalize()
    assert words.startswith(f"{word} agreement between judges (κ {inter.kappa:.2f}")
    word = landis_koch(intra.kappa)
    assert f"agreement of judges with themselves is {word} (κ {intra.kappa:.2f}" in words
    assert f"{inter.low:.2f} to {inter.high:.2f} for these judges" in words


def test_one_comparison_is_not_called_almost_perfect() -> None:
    """One same answer of two judges has κ 1."""
    once = Kappa(agree=1, comparable=1, ties=0, total=2)
    assert once.kappa == 1
    words = headline(Agreement(Rates(once, UNKNOWN), Rates(once, UNKNOWN), 0, 0.95, 0))
    assert words == "Judges rarely judge the same outputs, so their agreement is unknown"
    assert (once.word, Kappa(30, 30, 0, 60).word) == ("too few", "almost perfect")


def test_what_cannot_be_told_is_not_called_poor() -> None:
    nothing = Rates(UNKNOWN, UNKNOWN)
    words = headline(Agreement(nothing, nothing, 0, 0.95, 0))
    assert "No two judges can be compared" in words
    assert "nan" not in words
    assert explain_published(Agreement(nothing, nothing, 0, 0.95, 0)) == ""


@pytest.mark.parametrize(
    ("agree", "word"),
    [(30, "below"), (53, "at the low end of"), (60, "within"), (95, "above")],
)
def test_the_comparison_is_with_kappas_counted_alike(agree: int, word: str) -> None:
    counted = Agreement(published=rates(agree), strict=rates(50), runs=0, level=0.95, seed=0)
    assert f", {word} WMT11–15 (0.27 to 0.41)" in compare_with_history(
        counted, published_kappas("fr-en")
    )


def test_the_difference_of_both_countings_is_told_with_its_direction() -> None:
    higher = Agreement(published=rates(80), strict=rates(70), runs=0, level=0.95, seed=0)
    difference = higher.published.inter.kappa - higher.strict.inter.kappa
    assert f"{difference:.2f} higher" in explain_published(higher)
    lower = Agreement(published=rates(70), strict=rates(80), runs=0, level=0.95, seed=0)
    assert "lower" in explain_published(lower)


def test_it_is_said_for_which_judges_each_interval_holds(found: Agreement) -> None:
    words = explain_intervals(found)
    assert "for these judges, from 200 resamples" in words
    assert "new judges" in words
    alone = Rates(dataclasses.replace(found.strict.inter, others_low=math.nan), UNKNOWN)
    assert "new judges" not in explain_intervals(dataclasses.replace(found, strict=alone))
    frame = agreement_frame([("French → English", found)])
    assert frame["others_low"].iloc[0] == found.strict.inter.others_low < frame["low"].iloc[0]


def test_how_identical_outputs_count_is_said_where_the_file_names_any() -> None:
    once, as_ties = (
        agreement(judged_once(joined_campaign(), identical=identical), runs=0)
        for identical in ("collapsed", "expanded")
    )
    assert "count once" in explain_identical(once)
    assert "No judge saw" in explain_identical(as_ties)
    assert "as ties" not in headline(once)
    assert headline(as_ties).endswith("identical outputs count as ties")
    assert "not comparable" in compare_with_history(as_ties, published_kappas("fr-en"))
    nothing_joined = agreement(judged_once(sample_campaign("wmt14-fr-en")), runs=0)
    assert explain_identical(nothing_joined) == ""


def joined_campaign() -> Campaign:
    """Judges who see a and b as one output, and disagree about it and c as often as not."""
    builder = CampaignBuilder()
    rng = np.random.default_rng(2)
    for task in range(240):
        ranks = [1, 2] if rng.random() < 0.5 else [2, 1]
        builder.add_task("fr-en", str(task // 4), f"j{task % 4}", [("a", "b"), ("c",)], ranks)
    return builder.build()


def test_the_table_has_two_lines_a_pair_with_strict_and_published(found: Agreement) -> None:
    frame = agreement_frame([("French → English", found)])
    assert frame["who"].tolist() == ["each other", "themselves"]
    assert frame["kappa"].tolist() == [found.strict.inter.kappa, found.strict.intra.kappa]
    assert frame["as_published"].tolist() == [
        found.published.inter.kappa,
        found.published.intra.kappa,
    ]


def test_a_judge_with_few_answers_gets_no_kappa_and_no_word() -> None:
    table = judges(sample_campaign("wmt14-hi-en").judgments())
    frame = kappas_by_judge(table)
    few = frame["others_compared"] < ENOUGH
    assert few.any()
    assert (~few).any()
    assert frame.loc[few, "with_others"].isna().all()
    assert set(frame.loc[few, "others_word"]) == {"too few"}
    assert frame.loc[~few, "with_others"].notna().all()


# The figures -----------------------------------------------------------------------------------


def test_this_campaign_stands_first_with_its_interval(found: Agreement) -> None:
    history = published_kappas("fr-en")
    figure = kappa_figure(found, history, title="t", mode="light")
    strict = [t for t in figure.data if t.name == "strict"]
    assert [t.x[0] for t in strict] == [found.strict.inter.kappa, found.strict.intra.kappa]
    counted = [t for t in figure.data if t.name == "the WMT way"]
    rates = found.published
    assert [t.x[0] for t in counted] == [rates.inter.kappa, rates.intra.kappa]
    interval = next(t for t in figure.data if t.name == "interval")
    assert list(interval.x) == [found.strict.inter.low, found.strict.inter.high]
    others = next(t for t in figure.data if t.name == "interval for others")
    assert list(others.x) == [found.strict.inter.others_low, found.strict.inter.others_high]
    assert others.line.width < interval.line.width
    dots = next(t for t in figure.data if t.name == "published")
    assert list(dots.x) == [row.inter for row in reversed(history)]
    labels = [figure.layout.yaxis.ticktext[int(y)] for y in dots.y]
    assert labels == [row.campaign for row in reversed(history)]
    assert "This campaign" in figure.layout.yaxis.ticktext[0]
    for t in (*strict, dots):
        axis = figure.layout["xaxis" + t.xaxis[1:]]
        assert axis.range[0] <= min(t.x)
        assert max(t.x) <= axis.range[1]
    assert "WMT11" in alt_text(figure)


def test_the_words_stand_over_their_own_bands(found: Agreement) -> None:
    figure = kappa_figure(found, published_kappas("fr-en"), title="t", mode="dark")
    places = {a.text: a.x for a in figure.layout.annotations if a.xref == "x"}
    assert 0.2 < places["fair"] < 0.4 < places["moderate"] < 0.6
    shaded = [s for s in figure.layout.shapes if s.type == "rect" and s.xref == "x"]
    words = {word for word, x in places.items() for s in shaded if s.x0 < x < s.x1}
    assert words <= {"slight", "moderate", "almost perfect"}
    assert "moderate" in words


def test_the_word_of_every_dot_is_written_where_bands_are_narrow() -> None:
    """From -0.1 to 0.9 no band holds its word alone; in two rows all of them stand there."""
    wide = Rates(Kappa(82, 100, 20, 100, 0.0, 0.8), UNKNOWN)
    figure = kappa_figure(Agreement(wide, wide, 0, 0.95, 0), (), title="t", mode="light")
    words = {a.text: a.yshift for a in figure.layout.annotations if a.xref == "x"}
    assert {"slight", "fair", "moderate", "substantial"} <= set(words)
    assert words["moderate"] != words["substantial"]


def test_a_campaign_without_agreement_still_has_a_figure() -> None:
    nothing = Rates(UNKNOWN, UNKNOWN)
    figure = kappa_figure(Agreement(nothing, nothing, 0, 0.95, 0), (), title="t", mode="light")
    assert all(math.isfinite(x) for x in figure.layout.xaxis.range)


def test_judges_that_share_nothing_are_gray_and_lonely_ones_left_out() -> None:
    kappa = np.array([[0.9, 0.5, np.nan], [0.5, np.nan, np.nan], [np.nan, np.nan, 0.8]])
    all_three = JudgeAgreement(("<i>a", "b", "c"), kappa, np.full((3, 3), 40))
    assert all_three.n_known == 1
    two = all_three.connected()
    assert two.judges == ("<i>a", "b")
    figure = judge_heatmap(two, title="t", mode="light")
    np.testing.assert_array_equal(np.array(figure.data[0].z, dtype=float), kappa[:2, :2])
    assert "<i>" not in drawn_text(figure)
    assert "&lt;i&gt;a" in drawn_text(figure)


def test_couples_keep_their_kappas_when_lonely_judges_go() -> None:
    everybody = judge_agreement(sample_campaign("wmt14-fr-en").judgments())
    few = everybody.connected()
    assert 1 < len(few.judges) < len(everybody.judges)
    assert few.n_known == everybody.n_known
    place = [everybody.judges.index(name) for name in few.judges]
    np.testing.assert_array_equal(few.kappa, everybody.kappa[np.ix_(place, place)])


# The page --------------------------------------------------------------------------------------


@pytest.fixture
def open_agreement(monkeypatch: pytest.MonkeyPatch) -> Callable[..., AppTest]:
    monkeypatch.setattr(compute, "warm_up", lambda first_context: threading.current_thread())

    def open_(session: object = None) -> AppTest:
        """Open the page with the table of all language pairs unfolded."""
        return open_address("agreement", session, agreement__pair="true")

    return open_


def test_every_language_pair_has_its_lines(open_agreement: Callable[..., AppTest]) -> None:
    from dashboard.session import state

    builder = CampaignBuilder()
    rng = np.random.default_rng(5)
    for task in range(240):
        pair = ("cs-en", "en-cs", "fi-en")[task % 3]
        ranks = [int(rank) for rank in rng.integers(1, 4, size=3)]
        builder.add_task(
            pair, str(task % 12), f"j{task % 5}", [(f"{pair}.{s}",) for s in "abc"], ranks
        )
    campaign: Campaign = builder.build()
    upload = Upload(campaign, None, ("x.csv",))  # type: ignore[arg-type]
    app = open_agreement(state.Session(upload=upload, wanted={state.CAMPAIGN: state.UPLOADED}))
    assert not app.exception
    table = next(frame.value for frame in app.dataframe if "as_published" in frame.value)
    assert len(table) == 6
    assert table["pair"].tolist()[:2] == ["Czech → English"] * 2


def test_the_tile_of_overview_counts_identical_outputs_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    memory = store.Memory()
    monkeypatch.setattr(store, "memory", lambda is_sample: memory)
    view = make_context(joined_campaign(), "fr-en", ExpectedWins(), Certainty(runs=100))
    assert view.selection.identical == "expanded"
    number, what, _ = _kappa(view)
    assert what == "κ between judges"
    assert abs(float(number.replace("−", "-"))) < 0.2


def test_no_kappa_of_too_few_answers_stands_on_a_tile_or_a_card(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Agreement says that it is unknown; Result, Data and all language pairs say no number."""
    memory = store.Memory()
    monkeypatch.setattr(store, "memory", lambda is_sample: memory)
    builder = CampaignBuilder()
    for task in range(12):
        ranks = [1, 2] if task % 5 else [2, 1]
        builder.add_task("fr-en", str(task % 6), f"j{task // 6}", [("a",), ("b",)], ranks)
    view = make_context(builder.build(), "fr-en", ExpectedWins(), Certainty(runs=100))
    found = compute.agreement_of_judges(view)
    assert 0 < found.strict.inter.comparable < ENOUGH
    assert not math.isnan(found.strict.inter.kappa)
    assert _kappa(view) == ("–", "κ between judges", "too few shared items")
    assert math.isnan(PairResult("fr-en", {}, view.judgments, agreement=found).kappa)
    assert headline(found).startswith("Judges rarely judge the same outputs")


def test_headline_and_table_count_identical_outputs_once_unless_this_page_is_told(
    open_agreement: Callable[..., AppTest],
) -> None:
    """κ of judges who toss a coin is 0; ties among identical outputs would make it moderate."""
    from dashboard.session import state

    upload = Upload(joined_campaign(), None, ("x.csv",))  # type: ignore[arg-type]
    app = open_agreement(state.Session(upload=upload, wanted={state.CAMPAIGN: state.UPLOADED}))
    assert not app.exception

    def told() -> tuple[str, float]:
        words = " ".join(str(m.value) for m in app.markdown)
        table = next(frame.value for frame in app.dataframe if "as_published" in frame.value)
        return words, float(table["kappa"].iloc[0])

    words, kappa = told()
    assert abs(kappa) < 0.2
    assert "as ties" not in words
    assert any("identical:collapsed" in str(html.value) for html in app.get("html"))
    app.toggle(key="agreement.ties").set_value(True).run()
    words, kappa = told()
    assert kappa > 0.3
    assert "as ties" in words


def test_a_selection_of_one_pair_does_not_break_another(monkeypatch: pytest.MonkeyPatch) -> None:
    memory = store.Memory()
    monkeypatch.setattr(store, "memory", lambda is_sample: memory)
    builder = CampaignBuilder()
    for task in range(40):
        pair = ("cs-en", "en-cs")[task % 2]
        builder.add_task(pair, str(task % 4), f"j{task % 3}", [(f"{pair}.a",), ("b",)], [1, 2])
    campaign = builder.build()
    from dashboard.session import state

    only = Selection(exclude_judges=("j0",))
    monkeypatch.setattr(state, "selection_of", lambda campaign: only)
    view = make_context(campaign, "cs-en", ExpectedWins(), Certainty(runs=100), selection=only)
    other = compute.with_pair(view, "en-cs")
    assert other.pair == "en-cs"
    assert other.judgments.systems == ("b", "en-cs.a")
    assert other.selection.exclude_judges == ("j0",)


def test_equal_repeats_of_two_outputs_may_be_answers_and_count() -> None:
    builder, rng = CampaignBuilder(), np.random.default_rng(2)
    for k in range(240):
        ranks = [1, 2] if rng.random() < 0.7 else [2, 1]
        builder.add_task("cs-en", str(k // 4), f"j{k % 2}", [("a",), ("b",)], ranks)
    found = agreement(judged_once(builder.build()))
    assert found.intra_without_copies is not None
    assert found.intra_without_copies.kappa < found.strict.intra.kappa
    assert found.shown == found.strict


def test_agreement_with_oneself_is_given_with_and_without_exact_copies() -> None:
    builder, rng = CampaignBuilder(), np.random.default_rng(2)
    for k in range(240):
        noise = rng.normal(size=5) * 2
        ranks = (1 + np.argsort(np.argsort(np.arange(5) + noise))).tolist()
        segment, judge = str(k // 4), f"j{k % 2}"  # each judge ranks each segment twice
        for _ in range(1 + (k % 8 == 0)):
            builder.add_task("cs-en", segment, judge, [(name,) for name in "abcde"], ranks)
    campaign = builder.build()
    with_all, without = (
        agreement(judged_once(campaign, "cs-en", Selection(copies=copies)))
        for copies in ("kept", "dropped")
    )
    copied, then = with_all.strict.intra, without.strict.intra
    assert with_all.shown.intra == then
    assert copied.kappa > then.kappa
    words = (
        "Exact copies look like repeated answers: strict κ of judges with themselves is "
        f"{fixed(then.kappa)} ({then.word}) without them, {fixed(copied.kappa)} ({copied.word}) "
        "with them."
    )
    assert explain_copies(with_all) == words
    assert f"agreement of judges with themselves is {then.word} (κ {fixed(then.kappa)}," in (
        headline(with_all)
    )
    assert explain_copies(without) == ""
    ranker = ExpectedWins()
    ranking = rank(campaign.judgments(), ranker)
    report = PairReport(ranking, ranker, ranking.judgments.short_names, with_all)
    assert words in report.paragraph.plain
    assert f"κ = {fixed(then.kappa)} ({then.word};" in report.paragraph.plain
    assert "Exact copies" in kappa_table([("cs-en", with_all)]).note
    assert claim(headline(with_all)).endswith("for these judges)")
