"""Machine judges: the page with a sample's machines, with files of its own, and without any."""

from __future__ import annotations

import html
import json
import zipfile
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from analysis.campaign import Campaign
from analysis.cli import main
from analysis.cli.archive import HASHES, packed
from analysis.errors import speak_to
from analysis.formats import read
from dashboard.session import state
from dashboard.session.session_file import write
from dashboard.views.share import report, reproducing
from dashboard.widgets.uploader import session_of
from tests.opening import open_address, with_upload

HEADER = "model_a,model_b,winner,judge,question_id"


def votes(machine: bool, share: int = 2) -> bytes:
    """Return votes of a machine on 90 questions, or of people on every second one."""
    rows = [HEADER]
    for q in range(90):
        a, b = "abc"[q % 3], "abc"[(q + 1) % 3]
        winner = ("model_a", "model_b", "tie", "model_a")[(q * 7 + q // 9) % 4]
        if machine:
            rows.append(f"{b},{a},{'model_b' if q % 5 else 'model_a'},gpt,{q}")
        elif q % share == 0:
            rows.append(f"{a},{b},{winner},ann{q % 4},{q}")
    return "\n".join([*rows, ""]).encode()


def texts(app: AppTest) -> str:
    said = " ".join(str(block.value) for block in (*app.markdown, *app.html, *app.error))
    return html.unescape(said.replace("\\", ""))


def test_a_sample_shows_its_machines_and_what_their_votes_are_worth() -> None:
    app = open_address("agreement", campaign="LLM arena, human votes (real)")
    assert not app.exception
    said = texts(app)
    assert "gpt-4-0125-preview agrees with humans in 55% of votes" in said
    assert "Position bias" in said
    assert "1,000 human votes are worth about" in said
    assert "alone cover the score by all human votes for 7 of 20 systems" in said
    assert len(app.get("plotly_chart")) == 2


def test_another_machine_and_amount_change_the_standings() -> None:
    app = open_address("agreement", campaign="LLM arena, human votes (real)")
    before = texts(app)
    app.select_slider(key="machines.labels").set_value(250).run()
    assert not app.exception
    assert "250 human votes are worth about" in texts(app)
    assert texts(app) != before


def test_nothing_is_shown_under_a_campaign_without_llm_judges() -> None:
    app = open_address("agreement")
    assert not app.exception
    assert "LLM judges and human judges" not in texts(app)


def uploaded(campaign: Campaign, *files: tuple[str, bytes, str]) -> AppTest:
    """Upload files of LLM judges on Data and open Agreement."""
    data = open_address("data", with_upload(campaign))
    data.file_uploader(key="machines.files").set_value(list(files)).run()
    return open_address("agreement", data.session_state["podium"], campaign=state.UPLOADED)


def test_the_notice_opens_the_panel_on_data_and_votes_list_agreement_at_once() -> None:
    people = votes(machine=False).replace(b",judge,", b",nothing,")
    app = open_address("result", with_upload(read(people)[0]))
    app.button(key="machines.ask").click().run()
    assert not app.exception
    assert app.session_state["podium"].page_wanted == ""
    app = open_address("data", app.session_state["podium"], campaign=state.UPLOADED)
    (panel,) = (one for one in app.expander if one.label.startswith("Session, LLM judges"))
    assert panel.proto.expanded
    assert "Agreement" not in rooms(app)
    app.file_uploader(key="machines.files").set_value([("gpt.csv", votes(True), "text/csv")]).run()
    assert not app.exception
    assert "Agreement" in rooms(app)


def four_files() -> dict[str, bytes]:
    """Return votes of people and of two LLM judges on 60 items, by the files' names."""
    rows = [f"q{k},a,b,model_{'ab'[k % 3 > 1]}" for k in range(60)]
    people = "\n".join(["question_id,model_a,model_b,winner", *rows, ""]).encode()
    old = {"human.csv": b"-", "gpt-4.1.csv": b"model_b\n", "x.csv": b"model_a\n"}
    return {name: people.replace(words, b"tie\n") for name, words in old.items()}


@pytest.mark.parametrize("way", ["upload", "command line"])
def test_the_file_chosen_at_the_door_has_people_s_votes_and_the_others_are_llm_judges(
    way: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    files = four_files()
    if way == "upload":
        app = open_address("result")
        for name, data in files.items():
            app.file_uploader[0].upload(name, data, "text/csv")
        app.run()
    else:
        for name, data in files.items():
            (tmp_path / name).write_bytes(data)
        monkeypatch.setenv("PODIUM_FILES", json.dumps([str(tmp_path / name) for name in files]))
        app = open_address("result")
    app.radio(key="kind_of_upload").set_value("human.csv").run()
    assert not app.exception
    assert app.session_state["podium"].upload.files == ("human.csv",)
    links = [link.proto.label.replace("\\", "") for link in app.main.get("page_link")]
    assert "See how gpt-4.1 and x agree with these votes" in links
    assert "Agreement" in rooms(app)
    app = open_address("data", app.session_state["podium"], campaign=state.UPLOADED)
    assert not app.main.radio
    app = open_address("agreement", app.session_state["podium"], campaign=state.UPLOADED)
    assert "gpt-4.1 agrees with humans in 67% of votes" in texts(app)


def test_llm_judges_are_in_archive_report_and_session(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    app = open_address("result")
    for name, data in four_files().items():
        app.file_uploader[0].upload(name, data, "text/csv")
    app.run()
    app.radio(key="kind_of_upload").set_value("human.csv").run()
    session, given, saved = app.session_state["podium"], [], []
    for module in (reproducing, report):
        monkeypatch.setattr(module, "file_downloads", lambda _, files: given.extend(files))
    monkeypatch.setattr(reproducing, "keep_session", lambda view: saved.append(session_of(view)))
    app = open_address("share", session, campaign=state.UPLOADED, share="Reproduce")
    assert not app.exception
    (settings,) = (one.value for one in app.dataframe if "Setting" in one.value)
    assert settings.set_index("Setting")["Value"]["LLM judges"] == "gpt-4.1.csv, x.csv"
    open_address("share", session, campaign=state.UPLOADED, share="Report")
    made = {file[1]: file[3] for file in given}
    speak_to("page")
    archive = made["zip"]()
    assert "gpt-4.1 agrees with humans in 67% of votes" in made["html"]()
    path = tmp_path / "all.zip"
    path.write_bytes(archive)
    with zipfile.ZipFile(path) as found:
        assert {"llm-judges/1/gpt-4.1.csv", "llm-judges/2/x.csv"} <= {*found.namelist()}
        assert b"gpt-4.1 agrees with humans" in found.read("report.html")
        numbers = json.loads(found.read("numbers.json"))["llm_judges"]
        members = {name: found.read(name) for name in found.namelist() if name != HASHES}
    assert [one["judge"] for one in numbers[0]] == ["gpt-4.1", "x"]
    assert main(["verify", str(path)]) == 0
    members["llm-judges/2/x.csv"] = members["llm-judges/1/gpt-4.1.csv"]
    path.write_bytes(packed(members))
    assert main(["verify", str(path)]) == 1
    assert "llm_judges" in capsys.readouterr().out
    app = open_address("data")
    for name, data in {**four_files(), "s.json": write(saved[0]).encode()}.items():
        app.file_uploader[0].upload(name, data, "text/csv")
    app.run()
    assert not app.exception
    assert not app.main.radio
    session = app.session_state["podium"]
    assert session.upload.files == ("human.csv",)
    assert [name for files in session.held.values() for name, _ in files] == [
        "gpt-4.1.csv",
        "x.csv",
    ]
    assert "It also had" not in texts(app)
    app = open_address("data", with_upload(read(four_files()["human.csv"])[0]))
    app.file_uploader[0].upload("s.json", write(saved[0]).encode(), "application/json").run()
    told = [warning.value.replace("\\", "") for warning in app.warning]
    assert any("It also had gpt-4.1.csv and x.csv: add these on Data." in words for words in told)


def rooms(app: AppTest) -> list[str]:
    return [link.proto.label for link in app.sidebar.get("page_link")]


def test_judges_are_called_by_their_files_without_the_ending_and_not_capitalized() -> None:
    campaign = read(votes(machine=False))[0]
    second = votes(machine=True).replace(b"model_b,gpt", b"tie,gpt")
    one = ("gpt-3.5-turbo.json.csv", second, "text/csv")
    app = uploaded(campaign, ("gpt-4.1.CSV", votes(machine=True), "text/csv"), one)
    assert not app.exception
    said = texts(app)
    assert "gpt-4.1 agrees with humans" in said or "gpt-3.5-turbo agrees with humans" in said
    assert "he lowest agreement is" in said
    assert "Gpt-" not in said


def test_a_file_of_a_machine_is_measured_and_standings_wait_for_the_user_s_word() -> None:
    campaign = read(votes(machine=False))[0]
    app = uploaded(campaign, ("gpt.csv", votes(machine=True), "text/csv"))
    assert not app.exception
    assert "gpt agrees with humans" in texts(app)
    assert "no file states that" in texts(app)
    app.toggle(key="machines.stated").set_value(True).run()
    assert not app.exception
    assert "votes on 90 items have weight" in texts(app)


def test_a_judge_of_the_campaign_may_be_the_machine() -> None:
    both = votes(machine=False, share=1) + votes(machine=True).split(b"\n", 1)[1]
    data = open_address("data", with_upload(read(both)[0]))
    data.multiselect(key="machines.judges").select("gpt").run()
    app = open_address("agreement", data.session_state["podium"], campaign=state.UPLOADED)
    assert not app.exception
    assert "gpt agrees with humans" in texts(app)


def test_a_broken_file_and_a_stranger_s_are_told_and_the_page_stays() -> None:
    campaign = read(votes(machine=False))[0]
    other = (Path(__file__).parents[3] / "data" / "examples" / "arena.csv").read_bytes()
    broken, stranger = ("x.csv", b"nothing\n", "text/csv"), ("y.csv", other, "text/csv")
    app = uploaded(campaign, broken, stranger)
    assert not app.exception
    assert "does not recognize these columns" in texts(app)
    assert "names none of the human-judged systems" in texts(app)
