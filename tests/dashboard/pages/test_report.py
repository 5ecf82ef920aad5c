"""The page Report: what it offers to carry away is what the view shows."""

from __future__ import annotations

import io
import json
import shlex
import threading
import zipfile
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from analysis.campaign import UNNAMED_JUDGE, Selection
from analysis.cli import main
from analysis.comparing.language_pairs import whole_campaign
from analysis.errors import speak_to
from analysis.findings.certainty import whom
from analysis.formats import read_many
from analysis.rankers.ratios import ExpectedWins
from analysis.ranking.ranking import rank
from analysis.reporting.csv_table import to_csv
from analysis.reporting.pair_tables import pair_tables
from dashboard import compute
from dashboard.session import state
from dashboard.session.opened import WORDS
from dashboard.session.session_file import LONGEST_TEXT
from dashboard.session.state import Upload
from dashboard.session.view import ViewContext
from dashboard.views.share.papers import zip_of
from dashboard.views.share.reproducing import archive_of_view
from tests.building import CampaignBuilder
from tests.opening import open_address, with_upload


@pytest.fixture(autouse=True)
def _no_warm_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing runs behind the tests' back."""
    monkeypatch.setattr(compute, "warm_up", lambda first_context: threading.current_thread())


@pytest.fixture
def open_report() -> Callable[..., AppTest]:
    def open_(**link: str) -> AppTest:
        settings = {"method": ExpectedWins.title, "runs": "100", "share": "Reproduce"}
        return open_address("share", **settings | link)

    return open_


def codes(app: AppTest) -> list[str]:
    return [str(block.value) for block in app.code]


def paragraph(open_report: Callable[..., AppTest], **link: str) -> str:
    """Return the paragraph on methods, below the table."""
    return codes(open_report(share="For a paper", **link))[1]


def view(app: AppTest) -> ViewContext:
    context: ViewContext = app.session_state["podium"].view
    return context


def test_the_command_on_the_page_makes_the_numbers_of_its_tables(
    open_report: Callable[..., AppTest], capsys: pytest.CaptureFixture[str]
) -> None:
    app = open_report(sure="Official procedure", seed="5", resample="Segments", level="90%")
    context = view(app)
    (command,) = [text for text in codes(app) if text.startswith("podium rank")]
    capsys.readouterr()
    assert main([*shlex.split(command)[1:], "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    tables = {t.name: t.frame for t in pair_tables(compute.ranking(context))}
    downloaded = pd.read_csv(io.StringIO(to_csv(tables["standings"])))
    assert list(downloaded["system"]) == [entry["system"] for entry in answer["systems"]]
    for column in ("score", "se", "rank_best", "rank_worst", "cluster"):
        expected = [entry[column] for entry in answer["systems"]]
        assert list(downloaded[column]) == pytest.approx(expected, abs=1e-12)
    assert compute.ranking(context).signature == answer["signature"]


def test_a_selection_is_in_the_command_and_in_the_settings(
    open_report: Callable[..., AppTest], capsys: pytest.CaptureFixture[str]
) -> None:
    app = open_report()
    campaign = view(app).campaign
    chosen = Selection(
        exclude_systems=(campaign.systems[1],),
        exclude_judges=(campaign.judges[0], campaign.judges[3]),
        segments=(1, 900),
    )
    app.session_state["podium"].selections[campaign.fingerprint] = chosen
    app.run()
    (command,) = [text for text in codes(app) if text.startswith("podium rank")]
    capsys.readouterr()
    assert main([*shlex.split(command)[1:], "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["judgments"] == len(view(app).judgments) < campaign.n_tasks * 10
    settings = app.dataframe[-1].value.set_index("Setting")["Value"]
    assert settings["Segments"] == "1–900"
    assert campaign.systems[1] in settings["Systems left out"]


@pytest.mark.parametrize("address", ["share", "next"])
def test_whom_intervals_are_valid_for_is_the_same_as_on_result(address: str) -> None:
    """Judges without a name are these judges only, whatever scope is chosen."""
    builder = CampaignBuilder()
    for k in range(200):
        ranks = [1, 2] if k % 4 else [2, 1]
        builder.add_task("all", str(k), UNNAMED_JUDGE, [("a",), ("b",)], ranks)
    app = open_address(address, with_upload(builder.build()), share="Reproduce")
    assert not app.exception
    scope = whom(rank(view(app).judgments, ExpectedWins()))
    assert scope.startswith("new ")
    assert scope.endswith("but these judges only")
    words = [block.proto.body for block in app.get("html")]
    if address == "share":
        words = [app.dataframe[-1].value.set_index("Setting")["Value"]["Scope and resampling"]]
    assert any(f"for {scope}" in one for one in words)
    assert not any("and judges" in one for one in words)


def test_the_paragraph_comes_as_text_latex_and_bibtex(
    open_report: Callable[..., AppTest],
) -> None:
    assert "(Koehn, 2012)" in paragraph(open_report)
    assert r"\citep{koehn-2012-simulating}" in paragraph(open_report, form="LaTeX")
    assert "@inproceedings{koehn-2012-simulating," in paragraph(open_report, form="BibTeX")


def test_every_table_can_be_written_as_csv_and_every_name_is_a_file_of_its_own(
    open_report: Callable[..., AppTest],
) -> None:
    context = view(open_report())
    found = pair_tables(compute.ranking(context), compute.agreement_or_none(context))
    assert len({export.name for export in found}) == len(found)
    assert max(len(export.title) for export in found) <= 31, "more is cut from the name of a sheet"
    tables = {export.name: export.frame for export in found}
    assert set(tables) == {
        "standings", "neighbors", "head-to-head", "win-shares", "judgments-per-pair", "judges",
        "agreement",
    }  # fmt: skip
    n = context.judgments.n_systems
    assert tables["win-shares"].shape == (n, n + 1)
    assert len(tables["neighbors"]) == n - 1
    met = tables["judgments-per-pair"].set_index("system").to_numpy()
    assert met.sum() == 2 * len(context.judgments)
    shares = tables["win-shares"].set_index("system").to_numpy()
    assert shares[0, -1] > 0.5 > shares[-1, 0]
    for frame in tables.values():
        assert len(pd.read_csv(io.StringIO(to_csv(frame)))) == len(frame)


def test_no_word_of_the_form_is_too_long_for_a_session_file(
    open_report: Callable[..., AppTest],
) -> None:
    app = open_report(share="Report")
    written = [one for one in (*app.text_input, *app.text_area) if str(one.key) in WORDS]
    assert {one.key for one in written} == {"report.note"}
    assert {one.proto.max_chars for one in written} == {LONGEST_TEXT}


FILE = Path(__file__).parents[3] / "data" / "examples" / "wmt-5way.csv"


@pytest.fixture(params=["sample", "upload"])
def shared(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> ViewContext:
    """Return the view of a page Share, in the folder of its files."""
    upload = None
    session = None
    if request.param == "upload":
        content = FILE.read_bytes()
        content += content.splitlines(keepends=True)[1] * 3  # copies, of which a check speaks
        campaign, report = read_many([(FILE.name, content)])
        upload = Upload(campaign, report, (FILE.name,), None, (content,))
        session = state.Session(upload=upload)
        session.wanted[state.CAMPAIGN] = state.UPLOADED
        (tmp_path / FILE.name).write_bytes(content)
    app = open_address("share", session, runs="100", share="Reproduce", level="90%")
    assert not app.exception
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(state, "session", lambda: state.Session(upload=upload))
    return view(app)


def test_the_archive_of_share_is_verified_and_its_command_writes_the_same_bytes(
    shared: ViewContext, tmp_path: Path
) -> None:
    make = archive_of_view(shared)
    assert make is not None
    speak_to("page")
    (tmp_path / "all.zip").write_bytes(make())
    assert main(["verify", "all.zip"]) == 0
    with zipfile.ZipFile("all.zip") as found:
        found.extractall()
    assert main(shlex.split(Path("command.txt").read_text(encoding="utf-8"))[1:]) == 0
    assert Path("again.zip").read_bytes() == Path("all.zip").read_bytes()


@pytest.mark.parametrize("which", ["one pair", "all pairs"])
def test_the_command_in_a_zip_of_tables_writes_the_same_bytes(
    shared: ViewContext, which: str
) -> None:
    pair = shared.pair if which == "one pair" else ""
    chosen = shared.ranker, shared.certainty, shared.selection
    pairs = (pair,) if pair else shared.campaign.pairs
    results = whole_campaign(shared.campaign, *chosen, pairs=pairs)
    made = zip_of(shared, results, pair)()
    with zipfile.ZipFile(io.BytesIO(made)) as found:
        command = shlex.split(json.loads(found.read("made.json"))["command"])
    assert ("--all-pairs" in command) == (not pair)
    assert main(command[1:]) == 0
    assert Path(command[-1]).read_bytes() == made


def test_the_report_says_how_much_was_left_out_as_data_does() -> None:
    votes = 20 * "a,b,model_a\nb,a,model_b\na,b,model_b\n" + 3 * ",b,model_a\n"
    campaign, read = read_many([("votes.csv", f"model_a,model_b,winner\n{votes}".encode())])
    assert read.n_left_out == 3
    session = with_upload(campaign)
    session.upload = Upload(campaign, read, ("votes.csv",))
    app = open_address("share", session, share="Report", method=ExpectedWins.title)
    said = " ".join(str(one.proto) for one in app.get("iframe"))
    assert read.left_out_words() in said
