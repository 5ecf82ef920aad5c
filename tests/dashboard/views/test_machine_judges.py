"""Machine judges: the page with a sample's machines, with files of its own, and without any."""

from __future__ import annotations

import html
from pathlib import Path

from streamlit.testing.v1 import AppTest

from analysis.formats import read
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
    app = open_address("machine-judges", campaign="LLM arena, votes of people (real)")
    assert not app.exception
    said = texts(app)
    assert "gpt-4-0125-preview agrees with people in 55% of votes" in said
    assert "and gpt-3.5-turbo (86%): so often wins what is shown first" in said
    assert "1 000 votes of people tell as much as" in said.replace("\u202f", " ")
    assert "alone hold the score by all votes of people for 7 of 20 systems" in said
    assert len(app.get("plotly_chart")) == 2


def test_another_machine_and_amount_change_the_standings() -> None:
    app = open_address("machine-judges", campaign="LLM arena, votes of people (real)")
    before = texts(app)
    app.select_slider(key="machines.labels").set_value(250).run()
    assert not app.exception
    assert "250 votes of people tell as much as" in texts(app)
    assert texts(app) != before


def test_without_a_machine_the_page_says_what_to_bring() -> None:
    app = open_address("machine-judges")
    assert not app.exception
    assert "No machine judged this campaign yet" in texts(app)
    assert "Upload a machine's votes" in texts(app)
    assert "## Example: LLM arena, votes of people (real)" in texts(app)
    assert len(app.get("plotly_chart")) == 1


def test_a_file_of_a_machine_is_measured_and_standings_wait_for_the_user_s_word() -> None:
    session = with_upload(read(votes(machine=False))[0])
    app = open_address("machine-judges", session)
    app.file_uploader(key="machines.files").upload("gpt.csv", votes(machine=True), "text/csv")
    app.run()
    assert not app.exception
    assert "gpt agrees with people" in texts(app)
    assert "no file can tell that" in texts(app)
    app.toggle(key="machines.stated").set_value(True).run()
    assert not app.exception
    assert "votes on 90 items count with weight" in texts(app).replace("\u202f", " ")


def test_a_judge_of_the_campaign_may_be_the_machine() -> None:
    both = votes(machine=False, share=1) + votes(machine=True).split(b"\n", 1)[1]
    app = open_address("machine-judges", with_upload(read(both)[0]))
    app.multiselect(key="machines.judges").select("gpt").run()
    assert not app.exception
    assert "gpt agrees with people" in texts(app)


def test_a_broken_file_and_a_stranger_s_are_told_and_the_page_stays() -> None:
    session = with_upload(read(votes(machine=False))[0])
    app = open_address("machine-judges", session)
    other = (Path(__file__).parents[3] / "data" / "examples" / "arena.csv").read_bytes()
    uploader = app.file_uploader(key="machines.files")
    uploader.set_value([("x.csv", b"nothing\n", "text/csv"), ("y.csv", other, "text/csv")])
    app.run()
    assert not app.exception
    assert "does not recognize these columns" in texts(app)
    assert "names none of the systems" in texts(app)
