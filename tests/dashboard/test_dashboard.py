"""The dashboard's pages as a user meets them, in Streamlit's own test harness."""

from __future__ import annotations

import gzip
import re
import threading
from collections.abc import Callable
from concurrent.futures import CancelledError

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from analysis.campaign import Campaign, Selection
from analysis.parameters import Hyperparameter, hyperparameters
from analysis.rankers import DEFAULT_METHOD, RANKERS
from analysis.rankers.mean import Mean
from analysis.rankers.ratios import ExpectedWins
from analysis.ranking.certainty import Certainty, replicate
from analysis.ranking.preflight import preflight
from dashboard import compute
from dashboard.compute import contexts, housekeeping, store, uploads
from dashboard.compute.contexts import make_context
from dashboard.compute.queue import turns
from dashboard.navigation import EARLIER, PAGES
from dashboard.registry import FOOT
from dashboard.session import link, state
from dashboard.session.state import Upload
from dashboard.widgets.settings_form import BASES
from tests.building import CampaignBuilder
from tests.judges.test_quality import checked
from tests.opening import PATIENCE, open_address, with_upload
from tests.rankers.test_mean import one_output_each

OFFICIAL = BASES["published"][0]

PAGE_ADDRESSES = [page.address for page in PAGES]
BROKEN = b"first,second\n1,2\n"
NASTY = ("a_b<b>x</b>", "$x^2$ *y*", "[z](http://z)", "plain")


@pytest.fixture(autouse=True)
def _no_warm_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing runs behind the tests' back."""
    monkeypatch.setattr(compute, "warm_up", lambda first_context: threading.current_thread())


@pytest.fixture
def open_page() -> Callable[..., AppTest]:
    """Open a page in a session of its own, with a quick method unless told otherwise."""

    def open_(address: str, session: object = None, **link_parts: str) -> AppTest:
        settings = {"method": ExpectedWins.title, "runs": "100", **link_parts}
        return open_address(address, session, **settings)

    return open_


@pytest.fixture(scope="session")
def nasty_campaign() -> Campaign:
    """Systems whose names are Markdown, HTML and LaTeX; asymmetric on purpose."""
    builder = CampaignBuilder()
    rng = np.random.default_rng(3)
    for task in range(120):
        order = rng.permutation(4)
        ranks = [int(place) + 1 for place in np.argsort(np.argsort(order + rng.normal(0, 2, 4)))]
        builder.add_task(
            "cs-en", str(task % 40), f"<i>judge</i> {task % 3}", [(NASTY[k],) for k in order], ranks
        )
    return builder.build()


def wmt_file(campaign_rows: int = 60, *, better: str = "good") -> bytes:
    """A small 2-way file in which one system wins two of three times."""
    head = (
        "srclang,trglang,srcIndex,segmentId,judgeID,"
        "system1Id,system1rank,system2Id,system2rank,rankingID"
    )
    lines = [head]
    for row in range(campaign_rows):
        ranks = (2, 1) if row % 3 == 0 else (1, 2)
        lines.append(f"ces,eng,{row},{row},judge{row % 4},{better},{ranks[0]},bad,{ranks[1]},{row}")
    return ("\n".join(lines) + "\n").encode()


def all_words(app: AppTest) -> str:
    parts = [*app.markdown, *app.caption, *app.error, *app.warning]
    return "\n".join(str(element.value) for element in parts)


def upload(app: AppTest, *files: tuple[str, bytes]) -> AppTest:
    for name, data in files:
        app.file_uploader[0].upload(name, data, "text/csv")
    return app.run()


# Every page ------------------------------------------------------------------------------------


@pytest.mark.parametrize("address", PAGE_ADDRESSES)
def test_every_page_shows_a_finding_on_the_sample(
    address: str, open_page: Callable[..., AppTest]
) -> None:
    app = open_page(address)
    assert not app.exception
    assert not app.error
    assert any(str(words.value).startswith("# ") for words in app.markdown)
    names = {word for words in app.markdown for word in re.findall(r"[\w-]{4,}", str(words.value))}
    for figure in app.get("plotly_chart"):
        told = figure.proto.alt
        assert len(told) > 30, f"a figure of {address} has no alternative in words"
        # not only what is drawn, but what comes out: numbers, or names that the page names
        assert re.search(r"\d", told) or names & set(re.findall(r"[\w-]{4,}", told)), told


@pytest.mark.parametrize("address", PAGE_ADDRESSES)
def test_every_page_without_judgments_says_so_in_words(
    address: str, open_page: Callable[..., AppTest]
) -> None:
    app = open_page(address)
    campaign = app.session_state["podium"].view.campaign
    app.session_state["podium"].selections[campaign.fingerprint] = Selection(judges=("nobody",))
    app.run()
    assert not app.exception
    assert "'nobody' is not known" in all_words(app).replace("\\", "")
    app.button(key="count-everything").click().run()
    assert "'nobody' is not known" not in all_words(app).replace("\\", "")


@pytest.mark.parametrize("address", PAGE_ADDRESSES)
def test_every_page_survives_a_segment_range_that_holds_nothing(
    address: str, open_page: Callable[..., AppTest]
) -> None:
    app = open_page(address)
    campaign = app.session_state["podium"].view.campaign
    app.session_state["podium"].selections[campaign.fingerprint] = Selection(segments=(2, 2))
    app.run()
    assert not app.exception
    assert "Podium failed on this page" not in all_words(app)


@pytest.mark.parametrize("method", [Mean.title, ExpectedWins.title])
@pytest.mark.parametrize("address", PAGE_ADDRESSES)
def test_every_page_of_scores_without_preferences_has_one_heading_in_words(
    address: str, method: str, open_page: Callable[..., AppTest]
) -> None:
    alone = one_output_each()
    session = state.Session(
        upload=Upload(alone, None, ("alone.csv",)),  # type: ignore[arg-type]
        wanted={state.CAMPAIGN: state.UPLOADED},
    )
    app = open_page(address, session=session, method=method)
    assert not app.exception
    assert not app.error
    headings = [str(words.value) for words in app.markdown if str(words.value).startswith("# ")]
    assert len(headings) == 1, headings


def test_judges_who_do_not_see_degraded_outputs_can_be_selected_at_once(
    open_page: Callable[..., AppTest],
) -> None:
    campaign = checked(*[("ann", 80, 20)] * 18, *[("bob", 50, 60)] * 30, *[("cid", 70, 10)] * 18)
    session = state.Session(
        upload=Upload(campaign, None, ("checked.csv",)),  # type: ignore[arg-type]
        wanted={state.CAMPAIGN: state.UPLOADED},
    )
    app = open_page("agreement", session=session, method=Mean.title)
    app.button(key="judges.flagged").click().run()
    assert not app.exception
    assert app.multiselect(key="what.judges").value == ["bob"]


@pytest.mark.parametrize("address", PAGE_ADDRESSES)
def test_every_page_keeps_the_campaign_after_a_broken_upload(
    address: str, open_page: Callable[..., AppTest]
) -> None:
    data_page = upload(open_page("data"), ("broken.csv", BROKEN))
    app = open_page(address, session=data_page.session_state["podium"])
    assert not app.exception
    assert app.session_state["podium"].view.is_sample


@pytest.mark.parametrize("address", ["result", "next"])
def test_judgments_that_say_nothing_are_shown_as_that(
    address: str, open_page: Callable[..., AppTest]
) -> None:
    """Ties alone: no resample differs, and the preview is all there is to draw."""
    rows = ["question_id,judge,model_a,model_b,winner"]
    rows += [f"{k},judge{k % 3},alpha,beta,tie" for k in range(40)]
    app = upload(open_page("data"), ("ties.csv", "\n".join(rows).encode()))
    session = app.session_state["podium"]
    link = {"campaign": state.UPLOADED, "method": "TrueSkill (from WMT14)", "runs": "500"}
    app = open_page(address, session=session, **link)
    assert not app.exception
    assert not app.error
    words = all_words(app)
    assert ("No winner yet" if address == "next" else "All systems have the same score") in words


@pytest.mark.parametrize("address", PAGE_ADDRESSES)
def test_names_from_data_stay_text_on_every_page(
    address: str, nasty_campaign: Campaign, open_page: Callable[..., AppTest]
) -> None:
    session = state.Session(
        upload=Upload(nasty_campaign, None, ("<b>file</b>.csv",)),  # type: ignore[arg-type]
        wanted={state.CAMPAIGN: state.UPLOADED},
    )
    app = open_page(address, session=session)
    assert not app.exception
    assert not app.error
    for element in app.markdown:
        if not str(element.value).lstrip().startswith("<"):
            assert "<b>" not in str(element.value).replace("\\<b\\>", "")
            assert "$x" not in str(element.value).replace("\\$x", "")


def test_human_references_are_left_out_with_a_button_that_ranks_them(
    open_page: Callable[..., AppTest],
) -> None:
    rows = wmt_file(better="HUMAN-B").decode()
    more = wmt_file(better="good").decode().splitlines()[1:]
    app = upload(open_page("data"), ("x.csv", "\n".join([rows.strip(), *more]).encode()))
    assert app.session_state["podium"].view.judgments.systems == ("bad", "good")
    assert "HUMAN\\-B is left out" in all_words(app)
    assert app.button(key="rank-references").label == "Rank it too"
    assert "“Rank it too” on Result" in " ".join(
        one.remedy for one in preflight(app.session_state["podium"].view.judgments)
    )
    others = wmt_file(better="refA").decode().splitlines()[1:]
    two = upload(open_page("data"), ("y.csv", "\n".join([rows.strip(), *more, *others]).encode()))
    assert two.button(key="rank-references").label == "Rank them too"
    app.button(key="rank-references").click().run()
    assert "HUMAN-B" in app.session_state["podium"].view.judgments.systems


@pytest.mark.parametrize("address", ["result", "data"])
def test_a_file_given_twice_is_used_once_and_said_to_be_identical(
    address: str, open_page: Callable[..., AppTest]
) -> None:
    data = upload(open_page("data"), ("x.csv", wmt_file()), ("again.csv", wmt_file()))
    session = data.session_state["podium"]
    app = data if address == "data" else open_page(address, session, campaign=state.UPLOADED)
    assert app.session_state["podium"].view.judgments.n_tasks == 60
    assert r"x\.csv and again\.csv are identical and are used once" in all_words(app)


@pytest.mark.parametrize("address", ["result", "data"])
def test_tasks_given_twice_are_noticed_with_a_button_that_drops_the_copies(
    address: str, open_page: Callable[..., AppTest]
) -> None:
    data = upload(open_page("data"), ("x.csv", wmt_file()), ("again.csv", wmt_file() + b"\n"))
    session = data.session_state["podium"]
    app = data if address == "data" else open_page(address, session, campaign=state.UPLOADED)
    assert r"all 60 of again\.csv are also in x\.csv" in all_words(app)
    app.button(key="drop-copies").click().run()
    assert app.session_state["podium"].view.judgments.n_tasks == 60
    assert r"all 60 of again\.csv are also in x\.csv\. Without them" not in all_words(app)


def test_a_system_has_one_color_in_all_language_pairs() -> None:
    builder = CampaignBuilder()
    for pair, systems in (("cs-en", "abc"), ("en-cs", "bcd")):
        for task in range(8):
            builder.add_task(pair, str(task), "ann", [(s,) for s in systems], [1, 2, 3])
    campaign = builder.build()
    one, other = (contexts.colors_of(campaign.judgments(p), "light") for p in campaign.pairs)
    assert {s: one[s] for s in "bc"} == {s: other[s] for s in "bc"}
    assert len({*one.values()}) == len({*other.values()}) == 3


def test_pages_have_distinct_addresses() -> None:
    assert len({page.address for page in PAGES}) == len(PAGES)


# Uploads ---------------------------------------------------------------------------------------


def test_an_uploaded_file_becomes_the_campaign(open_page: Callable[..., AppTest]) -> None:
    app = upload(open_page("data"), ("mine.csv.gz", gzip.compress(wmt_file(), mtime=0)))
    assert not app.error
    assert app.selectbox(key="campaign").value == state.UPLOADED
    assert app.session_state["podium"].view.judgments.systems == ("bad", "good")


def test_a_broken_upload_says_what_is_wrong_and_changes_nothing(
    open_page: Callable[..., AppTest],
) -> None:
    app = open_page("data")
    before = app.session_state["podium"].view.campaign.fingerprint
    app = upload(app, ("broken.csv", BROKEN))
    assert "broken" in app.error[0].value
    assert "unchanged" not in app.error[0].value, "the sample is not the user's"
    assert ".." not in app.error[0].value
    assert app.session_state["podium"].view.campaign.fingerprint == before
    app = upload(open_page("data"), ("mine.csv", wmt_file()))
    assert not app.error
    app.file_uploader[0].set_value([("broken.csv", BROKEN, "text/csv")]).run()
    assert "Your previous data is unchanged" in app.error[0].value


def test_files_of_two_kinds_are_asked_about(open_page: Callable[..., AppTest]) -> None:
    """They are never mixed; the campaign stays what it was until the user has chosen."""
    scores = b"system,segment,judge,score\n" + b"".join(
        f"{system},{k},ann,{k + 3 * (system == 'a')}\n".encode()
        for k in range(20)
        for system in "ab"
    )
    app = upload(open_page("data"), ("votes.csv", wmt_file()), ("scores.csv", scores))
    assert not app.exception
    assert app.selectbox(key="campaign").value != state.UPLOADED
    choice = app.radio(key="kind_of_upload")
    assert [option.partition("\\")[0] for option in choice.options] == ["Rankings", "Scores"]
    app = choice.set_value("rankings").run()
    assert app.selectbox(key="campaign").value == state.UPLOADED
    assert "# 60 votes; every pair of systems was compared 60 times" in all_words(app)


def test_files_of_votes_on_the_same_items_are_asked_about(
    open_page: Callable[..., AppTest],
) -> None:
    rows = [f"q{k},a,b,model_{'ab'[k % 2]}" for k in range(20)]
    head = "question_id,model_a,model_b,winner"
    people = "\n".join([head, *rows]).encode()
    files = ("human.csv", people), ("gpt-4.1.csv", people.replace(b"model_b\n", b"tie\n"))
    app = upload(open_page("data"), *files)
    assert app.selectbox(key="campaign").value != state.UPLOADED
    choice = app.radio(key="kind_of_upload")
    assert "compared with them as LLM judges" in choice.label
    assert [option.replace("\\", "") for option in choice.options] == ["human.csv", "gpt-4.1.csv"]
    app = choice.set_value("human.csv").run()
    assert app.selectbox(key="campaign").value == state.UPLOADED
    assert "# 20 votes; every pair of systems was compared 20 times" in all_words(app)


def test_a_broken_file_beside_a_good_one_does_not_spoil_it(
    open_page: Callable[..., AppTest],
) -> None:
    app = upload(open_page("data"), ("good.csv", wmt_file()), ("broken.csv", BROKEN))
    assert app.selectbox(key="campaign").value == state.UPLOADED
    assert "broken" in app.error[0].value
    assert "The rest was read" in app.error[0].value


def test_a_file_too_large_is_refused_before_its_bytes_are_asked_for() -> None:
    def never() -> bytes:
        raise AssertionError("the bytes were read")

    size = housekeeping.MAX_UPLOAD_BYTES + 1
    campaign, problems = uploads.read_upload([uploads.UploadedFile("big.csv", size, never)])
    assert campaign is None
    assert "500 MB" in problems[0]


def test_nobodys_long_run_delays_anothers_upload() -> None:
    """All workers are busy with what cannot be divided; a packed file is read meanwhile."""
    done, read = threading.Event(), threading.Event()
    busy = [
        turns().submit(f"other {k}", ("long", k), done.wait, whole=True)
        for k in range(2 * turns().workers)
    ]
    content = gzip.compress(wmt_file(), mtime=0)

    def upload_it() -> None:
        file = uploads.UploadedFile("x.csv.gz", len(content), lambda: content)
        if uploads.read_upload([file])[0] is not None:
            read.set()

    try:
        threading.Thread(target=upload_it, daemon=True).start()
        assert read.wait(PATIENCE)
        assert not all(future.done() for future in busy)
    finally:
        done.set()


def test_an_upload_is_not_seen_in_another_session(open_page: Callable[..., AppTest]) -> None:
    mine = upload(open_page("data"), ("mine.csv", wmt_file(better="my-secret-system")))
    assert "my-secret-system" in str(mine.session_state["podium"].view.judgments.systems)
    other = open_page("data")
    assert state.UPLOADED not in other.selectbox(key="campaign").options
    assert "my-secret-system" not in all_words(other)


# Settings, selection and the link --------------------------------------------------------------


def show_form(name: str) -> None:
    import streamlit as st

    from analysis.parameters import from_settings
    from analysis.rankers import RANKERS
    from dashboard.widgets.settings_form import ranker_settings

    st.session_state["made"] = from_settings(RANKERS[name], ranker_settings(RANKERS[name]))


@pytest.mark.parametrize("name", RANKERS)
def test_a_rankers_form_offers_every_hyperparameter_with_its_default(name: str) -> None:
    app = AppTest.from_function(show_form, kwargs={"name": name}, default_timeout=PATIENCE).run()
    if any(parameter.advanced for parameter in hyperparameters(RANKERS[name])):
        app.toggle(key=f"{name}.more").set_value(True).run()
    assert not app.exception
    assert app.session_state["made"] == RANKERS[name]()
    shown = {
        widget.key
        for kind in (app.number_input, app.selectbox, app.toggle, app.text_input)
        for widget in kind
    }
    declared = {f"{name}.{parameter.name}" for parameter in hyperparameters(RANKERS[name])}
    assert declared <= shown


def numbers_of(name: str) -> list[Hyperparameter]:
    """A method's numbers that may be set on their own."""
    return [
        parameter
        for parameter in hyperparameters(RANKERS[name])
        if parameter.low is not None and not parameter.advanced and parameter.name != "players"
    ]


@pytest.mark.parametrize("name", [name for name in RANKERS if numbers_of(name)])
def test_a_rankers_form_gives_back_what_was_entered(name: str) -> None:
    numbers = numbers_of(name)
    app = AppTest.from_function(show_form, kwargs={"name": name}, default_timeout=PATIENCE).run()
    wanted = numbers[0]
    assert wanted.high is not None
    assert wanted.low is not None
    value = wanted.kind(wanted.low if wanted.default != wanted.low else wanted.high)
    app.number_input(key=f"{name}.{wanted.name}").set_value(value).run()
    assert getattr(app.session_state["made"], wanted.name) == value


def test_settings_of_a_link_are_taken_over(open_page: Callable[..., AppTest]) -> None:
    as_published = {"sure": "Official procedure", "resample": "Segments"}
    app = open_page("result", **as_published, level="90%", seed="7")
    chosen = app.session_state["podium"].view.certainty
    assert chosen == Certainty("marginal", "new", "segment", 100, 0.9, 7)


def test_the_published_way_is_one_named_choice(open_page: Callable[..., AppTest]) -> None:
    app = open_page("result")
    before = app.session_state["podium"].view.certainty
    app.radio(key="sure").set_value("published").run()
    after = app.session_state["podium"].view.certainty
    assert (before.ranges, after.ranges, after.unit) == ("simultaneous", "marginal", "judgment")
    assert "WMT13" in str(app.segmented_control(key="rule.wmt13.True").value)


def test_shares_of_runs_are_shown_as_published_and_no_probability_elsewhere(
    open_page: Callable[..., AppTest],
) -> None:
    shown = set(open_page("result").dataframe[0].value.columns)
    assert not {"p_first", "p_top_3", "share_first", "share_top_3"} & shown
    published = open_page("result", sure="Official procedure").dataframe[0].value
    assert {"share_first", "share_top_3"} <= set(published.columns)
    assert not {"p_first", "p_top_3"} & set(published.columns)


def test_the_result_names_who_could_have_won_and_the_checks(
    open_page: Callable[..., AppTest],
) -> None:
    app = open_page("result")
    assert "# Too close to call" in all_words(app)
    words = "\n".join(str(block.proto.body) for block in app.get("html"))
    assert "A chain of judgments joins all systems." in words


@pytest.mark.parametrize("year", [13, 15])
def test_the_switch_offers_the_year_that_the_names_of_systems_say(
    open_page: Callable[..., AppTest], year: int
) -> None:
    builder = CampaignBuilder()
    outputs = [(f"newstest20{year}.{name}.1.fr-en",) for name in ("kit", "cmu")]
    for k in range(12):
        builder.add_task("fr-en", f"s{k}", f"j{k % 3}", outputs, [1 + k % 3 // 2, 2])
    app = open_page("result", with_upload(builder.build()))
    assert f"WMT{year} procedure" in app.segmented_control(key=f"rule.wmt{year}.False").options


def test_the_switch_to_the_official_procedure_counts_by_it_everywhere_and_back(
    open_page: Callable[..., AppTest],
) -> None:
    app = open_page("result", campaign="WMT14 French–English")
    app.segmented_control(key="rule.wmt14.False").set_value("WMT14 procedure").run()
    view = app.session_state["podium"].view
    assert (view.preset.name, view.ranker.name) == ("wmt14", "trueskill")
    assert view.certainty.is_official
    app.segmented_control(key="rule.wmt14.True").set_value("Recommended").run()
    view = app.session_state["podium"].view
    assert not view.certainty.is_official
    assert view.ranker.name == DEFAULT_METHOD


@pytest.mark.parametrize(
    ("address", "room"),
    [("standings", "result"), ("stability", "what-if"), ("judges", "agreement"),
     ("collect-next", "next"), ("report", "share"), ("replication", "validation"),
     ("machine-judges", "agreement"), ("before-and-after", "what-if")],
)  # fmt: skip
def test_an_address_of_an_earlier_version_leads_to_its_room(address: str, room: str) -> None:
    assert EARLIER[address] == room
    assert address not in PAGE_ADDRESSES


@pytest.mark.parametrize(
    ("file", "missing"),
    [
        (wmt_file(), {"All language pairs", "Breakdown", "Metrics", "Scores"}),
        (
            b"model_a,model_b,winner\n" + b"a,b,model_a\nb,a,model_b\na,b,model_b\n" * 9,
            {"All language pairs", "Agreement", "Breakdown", "Metrics", "Scores"},
        ),
        (
            b"model_a,model_b,winner,judge\n" + b"a,b,model_a,user_\nb,a,model_b,user_\n" * 9,
            {"All language pairs", "Agreement", "Breakdown", "Metrics", "Scores"},
        ),
    ],
)
def test_a_room_is_linked_only_where_the_data_give_it_something_to_say(
    file: bytes, missing: set[str], open_page: Callable[..., AppTest]
) -> None:
    app = upload(open_page("data"), ("x.csv", file))
    linked = {str(link.proto.label) for link in app.get("page_link")}
    rooms = {spec.title for spec in PAGES if spec.place < FOOT}
    assert rooms - linked == missing
    assert "Methods and validation" in linked
    example = app.selectbox(key="campaign").set_value("Example").run()
    shown = {str(link.proto.label) for link in example.get("page_link")}
    assert {"Metrics", "Scores"} <= shown


def test_votes_of_unnamed_items_under_one_name_have_no_kappa(
    open_page: Callable[..., AppTest],
) -> None:
    votes = b"model_a,model_b,winner,judge\n" + b"a,b,model_a,user_\nb,a,model_b,user_\n" * 9
    app = upload(open_page("data"), ("x.csv", votes))
    tiles = next(str(one.value) for one in app.html if 'podium-facts">' in str(one.value))
    assert "items not named" in tiles
    assert "judge name<" in tiles


def test_tiles_do_not_deny_that_one_judge_rated_an_output_twice(
    open_page: Callable[..., AppTest],
) -> None:
    rows = [f"{s},{system},j{s % 3},{60 + 7 * s % 30},{again}"
            for s in range(30) for system in "ab" for again in "-#"[: 1 + (s < 5)]]  # fmt: skip
    ratings = "\n".join(["segment,system,judge,score,note", *rows, ""]).encode()
    app = upload(open_page("data"), ("x.csv", ratings))
    tiles = next(str(one.value) for one in app.html if 'podium-facts">' in str(one.value))
    assert "no output has ratings by two judges" in tiles


def test_tiles_say_what_identical_outputs_and_the_wmt_way_of_counting_change(
    open_page: Callable[..., AppTest],
) -> None:
    builder = CampaignBuilder()
    for task in range(120):
        ranks = [[1, 2], [2, 1]][task % 3 == 0]
        judge = f"j{task % 4}"
        builder.add_task("cs-en", str(task // 2), judge, [("a", "b"), ("c",)], ranks)
    app = open_page("result", with_upload(builder.build()), campaign=state.UPLOADED, sure=OFFICIAL)
    assert app.session_state["podium"].view.certainty.is_official
    tiles = next(str(one.value) for one in app.html if 'podium-facts">' in str(one.value))
    assert "<b>33%</b><span>ties</span><i>0% without identical outputs</i>" in tiles
    assert " the WMT way</i>" in tiles


def test_a_link_made_of_other_data_warns(open_page: Callable[..., AppTest]) -> None:
    app = open_page("result", data="000000000000")
    assert "other judgments" in app.warning[0].value


def test_a_link_to_an_upload_asks_for_the_file_and_shows_no_other_data(
    open_page: Callable[..., AppTest],
) -> None:
    app = open_page("data", campaign=state.UPLOADED, data="000000000000", pair="Czech → English")
    assert "Upload the judgments of this link" in all_words(app)
    assert not app.get("plotly_chart")
    assert not app.dataframe
    again = upload(app, ("mine.csv", wmt_file()))
    assert again.session_state["podium"].view.label == "mine.csv"
    assert again.dataframe


def test_a_link_with_unknown_values_says_so_until_that_is_understood(
    open_page: Callable[..., AppTest],
) -> None:
    app = open_page("result", method="zzz", resample="foo", runs="100")
    (warning,) = app.warning
    assert "method “zzz”" in warning.value
    assert "resample “foo”" in warning.value
    assert "runs" not in warning.value
    assert not app.button(key="unknown").click().run().warning


def test_previous_and_next_step_through_the_language_pairs(
    open_page: Callable[..., AppTest],
) -> None:
    rows = wmt_file().decode().splitlines()
    other = [row.replace("ces,eng", "eng,ces", 1) for row in rows[1:]]
    app = upload(open_page("data"), ("two.csv", "\n".join([*rows, *other]).encode()))
    pairs = app.session_state["podium"].view.campaign.pairs
    assert app.button(key="pair.previous").disabled
    app.button(key="pair.next").click().run()
    assert app.session_state["podium"].view.pair == pairs[1]
    assert app.button(key="pair.next").disabled
    app.button(key="pair.previous").click().run()
    assert app.session_state["podium"].view.pair == pairs[0]


def test_what_was_computed_of_a_replaced_upload_is_forgotten(
    open_page: Callable[..., AppTest], monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = store.Memory()
    monkeypatch.setattr(store, "session_memory", lambda: memory)
    app = upload(open_page("data"), ("mine.csv", wmt_file()))
    view = app.session_state["podium"].view
    key = (view.campaign.fingerprint, view.pair, view.selection)
    assert memory.judgments.get(key) is not None
    upload(app, ("other.csv", wmt_file(better="better")))
    assert memory.judgments.get(key) is None


def test_a_chip_takes_its_choice_back(open_page: Callable[..., AppTest]) -> None:
    app = open_page("result")
    campaign = app.session_state["podium"].view.campaign
    out = campaign.systems[:2]
    app.session_state["podium"].selections[campaign.fingerprint] = Selection(exclude_systems=out)
    app.run()
    view = app.session_state["podium"].view
    assert view.judgments.n_systems == len(campaign.systems) - 2
    app.button(key="chip.0").click().run()
    assert app.session_state["podium"].view.selection.exclude_systems == out[1:]
    app.button(key="chip.clear").click().run()
    assert app.session_state["podium"].view.selection == Selection()


def test_a_selection_survives_the_link_and_leaks_no_name(nasty_campaign: Campaign) -> None:
    selection = Selection(
        identical="collapsed",
        exclude_systems=(NASTY[1], NASTY[0]),
        exclude_judges=(nasty_campaign.judges[2],),
        references=True,
        segments=(3, 17),
    )
    text = link.encode(selection, nasty_campaign)
    assert not any(name in text for name in (*NASTY, *nasty_campaign.judges))
    decoded = link.decode(text, nasty_campaign)
    assert set(decoded.exclude_systems) == set(selection.exclude_systems)
    assert decoded.exclude_judges == selection.exclude_judges
    assert (decoded.identical, decoded.references, decoded.segments) == ("collapsed", True, (3, 17))


@pytest.mark.parametrize("text", ["", "x", "x999999", "s9", "zzz_x1-0_j.-", "x0-999999"])
def test_a_mangled_link_is_read_as_far_as_it_makes_sense(
    text: str, nasty_campaign: Campaign
) -> None:
    decoded = link.decode(text, nasty_campaign)
    assert set(decoded.exclude_systems) <= set(nasty_campaign.systems)


# Caches ----------------------------------------------------------------------------------------


def test_an_interrupted_run_resumes_and_ends_as_if_it_had_not_been(
    nasty_campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = store.Memory()
    monkeypatch.setattr(store, "memory", lambda is_sample: memory)
    context = make_context(
        nasty_campaign,
        "cs-en",
        ExpectedWins(),
        Certainty("marginal", unit="task", runs=400, seed=5),
    )

    def interrupt(done: int, total: int) -> None:
        if done >= 100:
            raise CancelledError

    with pytest.raises(CancelledError):
        compute.replicates(context, interrupt)
    assert not compute.is_ranked(context)
    kept = len(memory.chunks._entries)
    assert kept >= 2
    calls = []
    original = ExpectedWins.replicate_scores

    def counted(self, *arguments):  # type: ignore[no-untyped-def]
        calls.append(arguments)
        return original(self, *arguments)

    monkeypatch.setattr(ExpectedWins, "replicate_scores", counted)
    resumed = compute.replicates(context)
    assert len(calls) <= 8 - kept
    monkeypatch.setattr(ExpectedWins, "replicate_scores", original)
    whole = replicate(ExpectedWins().fit(context.judgments), runs=400, unit="task", seed=5)
    np.testing.assert_array_equal(resumed.scores, whole.scores)


def test_results_of_another_selection_are_not_mixed_up(
    nasty_campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = store.Memory()
    monkeypatch.setattr(store, "memory", lambda is_sample: memory)
    whole = make_context(nasty_campaign, "cs-en", ExpectedWins(), Certainty(runs=100))
    part = compute.with_selection(whole, Selection(exclude_judges=(nasty_campaign.judges[0],)))
    assert len(part.judgments) < len(whole.judgments)
    assert not np.array_equal(compute.standings(whole).scores, compute.standings(part).scores)
    direct = ExpectedWins().fit(part.judgments).standings
    np.testing.assert_array_equal(compute.standings(part).scores, direct.scores)


def test_a_store_forgets_what_was_used_least_recently() -> None:
    kept = store.Store(max_entries=2)
    kept.put("a", 1)
    kept.put("b", 2)
    assert kept.get("a") == 1
    kept.put("c", 3)
    assert kept.get("b") is None
    assert (kept.get("a"), kept.get("c")) == (1, 3)
