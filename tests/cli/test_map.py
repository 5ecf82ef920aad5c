"""``--map``: a profile explains a table's columns to every command."""

from __future__ import annotations

import json

import pytest

from analysis.cli import main
from analysis.formats import Profile

TABLE = "rater,sent,left mt,right mt,which\n" + "".join(
    f"r{k % 3},{k % 5},cmu,kit,{'L' if k % 4 else 'R'}\n" for k in range(40)
)


@pytest.fixture
def files(tmp_path):
    table, profile = tmp_path / "t.csv", tmp_path / "p.yaml"
    table.write_text(TABLE, encoding="utf-8")
    profile.write_text(
        Profile(
            system_a="left mt",
            system_b="right mt",
            winner="which",
            judge="rater",
            segment="sent",
            winners=(("L", "a"), ("R", "b")),
        ).to_yaml(),
        encoding="utf-8",
    )
    return str(table), str(profile)


def test_a_table_is_ranked_by_its_profile(files, capsys):
    table, profile = files
    main(["rank", table, "--map", profile, "--method", "bojar", "--json"])
    answer = json.loads(capsys.readouterr().out)
    assert [(s["system"], s["score"]) for s in answer["systems"]] == [("cmu", 0.75), ("kit", 0.25)]


def test_a_profile_that_is_not_there_is_one_clear_line(files, capsys):
    table, _ = files
    assert main(["summary", table, "--map", "nowhere.yaml"]) == 2
    assert "nowhere.yaml" in capsys.readouterr().err
