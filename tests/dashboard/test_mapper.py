"""An unknown table opens a form that asks what its columns mean; then it is a campaign."""

from __future__ import annotations

import json
import random

from analysis.formats import Profile, read_many
from tests.opening import open_address

WORDS = {"a": "L", "b": "R", "tie": "="}


def table(n: int = 120) -> bytes:
    draw = random.Random(4)
    lines = ["Rater,Sentence,Engine left,Engine right,Which one?,Genre,Len left,Len right"]
    for k in range(n):
        one, other = draw.sample(["cmu", "kit", "uedin"], 2)
        word = draw.choices("LR=", weights=[2 + (one == "cmu"), 1, 1])[0]
        genre = ("news", "chat")[k % 20 % 2]
        lines.append(f"r{k % 4},s{k % 20},{one},{other},{word},{genre},{k % 7 + 2},{k % 5 + 2}")
    return ("\n".join(lines) + "\n").encode()


def upload(app, *files):
    (uploader,) = [one for one in app.file_uploader if one.label == "Files of judgments"]
    uploader.upload(*files[0]) if len(files) == 1 else [uploader.upload(*file) for file in files]
    return app.run()


def test_an_unknown_table_asks_what_its_columns_mean_and_is_read_with_one_click():
    app = open_address("data")
    before = app.selectbox(key="campaign").value
    upload(app, ("votes.csv", table(), "text/csv"))
    assert not app.exception
    assert app.selectbox(key="campaign").value == before
    said = [one.value for one in app.markdown]
    assert any("What do the columns of this table mean?" in words for words in said)
    (sentences,) = [words for words in said if words.startswith("- Judge r0 ")]
    assert "preferred" in sentences
    app.button(key="mapper.read").click().run()
    assert not app.exception
    assert app.selectbox(key="campaign").value == "Your files"
    session = app.session_state["podium"]
    assert session.upload.campaign.n_tasks == 120
    assert session.upload.profile.judge == "Rater"
    (letters,) = (
        [app.query_params["map"]]
        if isinstance(app.query_params["map"], str)
        else (app.query_params["map"])
    )
    assert Profile.from_link(letters) == session.upload.profile


def test_another_export_of_a_known_tool_is_a_new_layout_and_no_error():
    def answer(k):
        chosen = dict(type="choices", from_name="Better", value=dict(choices=[f"TEXT {1 + k % 2}"]))
        return dict(completed_by=7, result=[chosen])

    tasks = [
        dict(id=k, data=dict(text1_tag="sent", text2_tag="para"), annotations=[answer(k)])
        for k in range(30)
    ]
    app = open_address("data")
    upload(app, ("tasks.json", json.dumps(tasks).encode(), "application/json"))
    assert not app.exception
    assert not app.error
    assert any("has a new layout" in one.value for one in app.info)


def test_a_table_that_has_no_judgments_is_removed_with_one_click():
    app = open_address("data")
    cities = "city,country,people\n" + "".join(f"c{k},{'ab'[k % 2]},{k}\n" for k in range(40))
    upload(app, ("cities.csv", cities.encode(), "text/csv"))
    assert any("What do the columns" in str(one.value) for one in app.markdown)
    app.button(key="mapper.remove").click().run()
    assert not app.exception
    assert not app.error
    assert not any("What do the columns" in str(one.value) for one in app.markdown)
    upload(app, ("votes.csv", table(), "text/csv"))
    assert any("What do the columns" in str(one.value) for one in app.markdown)


def test_a_correction_changes_what_the_rows_say_and_what_is_read():
    app = open_address("data")
    upload(app, ("votes.csv", table(), "text/csv"))
    app.selectbox(key="mapper.votes.csv.word.Which one?.L").set_value("b")
    app.selectbox(key="mapper.votes.csv.word.Which one?.R").set_value("a").run()
    app.button(key="mapper.read").click().run()
    assert not app.exception
    turned = app.session_state["podium"].upload
    assert dict(turned.profile.winners) == {"L": "b", "R": "a", "=": "tie"}
    usual, _ = read_many(
        [("x", table())],
        mapping=Profile(system_a="Engine left", system_b="Engine right", winner="Which one?",
                        winners=(("L", "a"), ("R", "b"), ("=", "tie"))),
    )  # fmt: skip
    wins = usual.judgments().counts.wins
    assert (turned.campaign.judgments().counts.wins == wins.T).all()


def test_a_form_without_systems_says_what_is_missing_and_cannot_be_read():
    app = open_address("data")
    upload(app, ("people.csv", b"city,people\na,1\nb,2\n", "text/csv"))
    assert not app.exception
    assert any("no column names the systems" in one.value for one in app.info)
    assert app.button(key="mapper.read").disabled


def test_a_link_brings_the_profile_so_that_the_same_table_is_read_at_once():
    profile = Profile(system_a="Engine left", system_b="Engine right", winner="Which one?",
                      judge="Rater", winners=(("L", "a"), ("R", "b"), ("=", "tie")))  # fmt: skip
    app = open_address("data", map=profile.to_link())
    upload(app, ("votes.csv", table(), "text/csv"))
    assert not app.exception
    assert app.session_state["podium"].upload.profile == profile


def with_texts(n: int = 40) -> bytes:
    lines = ["model_a,model_b,acceptedIndex,completion_a,completion_b"]
    pairs = [("fox", "owl"), ("owl", "elk"), ("elk", "fox")]
    for k in range(n):
        one, other = pairs[k % 3]
        lines.append(f"{one},{other},{k % 2},{'x' * (k + 9)} {k},{'y' * (50 - k)} {k}")
    return "\n".join(lines).encode()


def test_the_texts_of_both_outputs_are_found_and_give_their_lengths():
    app = open_address("result")
    upload(app, ("votes.csv", with_texts(), "text/csv"))
    assert not app.exception
    assert not app.error
    assert [i.value.replace("\\", "") for i in app.info] == [
        "votes.csv has a new layout. Check its columns below."
    ]
    assert app.selectbox(key="mapper.votes.csv.First output's text").value == "completion_a"
    assert not any(one.value.startswith("# Too close to call") for one in app.markdown)
    app.button(key="mapper.read").click().run()
    campaign = app.session_state["podium"].upload.campaign
    assert [one.name for one in campaign.attributes if one.about == "output"] == ["characters"]


def test_a_file_that_waits_for_its_columns_is_asked_about_on_every_page():
    """A page turned loses the uploader's files; Result asks as Data did, and shows no sample."""
    app = upload(open_address("data"), ("votes.csv", with_texts(), "text/csv"))
    turned = open_address("result", app.session_state["podium"])
    assert not turned.exception
    assert not turned.error
    assert not any(one.value.startswith("# Too close to call") for one in turned.markdown)
    turned.button(key="mapper.read").click().run()
    assert not turned.exception
    assert turned.session_state["podium"].upload.campaign.n_tasks == 40


def test_a_file_of_the_command_line_is_asked_about_and_is_no_error(tmp_path, monkeypatch):
    path = tmp_path / "votes.csv"
    path.write_bytes(with_texts())
    monkeypatch.setenv("PODIUM_FILES", json.dumps([str(path)]))
    app = open_address("result")
    assert not app.error
    app.button(key="mapper.read").click().run()
    assert app.session_state["podium"].upload.campaign.n_tasks == 40


def test_an_uncertain_guess_asks_what_a_row_is_before_anything_can_be_read():
    app = open_address("data")
    upload(app, ("other.csv", b"name,thing,foo\n1,2,3\n2,3,1\n3,1,2\n4,2,1\n", "text/csv"))
    assert not app.exception
    assert app.radio(key="mapper.other.csv.layout").value is None
    assert not [one for one in app.button if one.key == "mapper.read"]
    assert "100%" not in " ".join(one.value for one in [*app.info, *app.caption])


def test_free_answers_are_asked_about_by_how_they_begin():
    lines = ["WorkerId,HITId,system_a,system_b,Answer.why"]
    for k in range(60):
        one, other = random.Random(k).sample(["cmu", "kit", "uedin"], 2)
        lines.append(f"w{k % 5},{k // 3},{one},{other},Text {1 + k % 2} - sure. Because of {k}")
    app = open_address("data")
    upload(app, ("free.csv", "\n".join(lines).encode(), "text/csv"))
    assert not app.exception
    asked = {one.label: one.value for one in app.selectbox if one.label.endswith("means")}
    assert asked == {"“Text 1…” means": "a", "“Text 2…” means": "b"}
    app.button(key="mapper.read").click().run()
    assert app.session_state["podium"].upload.campaign.n_tasks == 60
