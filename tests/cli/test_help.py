"""Help comes at once, is grouped and true, and leads who mistypes to what was meant."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from analysis.cli.commands import GROUPS, commands, listed
from analysis.cli.help import RECORD, make_record, recorded_parser, what_may_follow
from analysis.cli.parser import parser_of
from tests.command_line import run

ROOT = Path(__file__).parents[2]
SAMPLE = "sample:wmt14-cs-en"


def test_the_record_of_all_flags_is_true() -> None:
    """After a change of flags or hyperparameters: python -m analysis.cli.help."""
    assert json.loads(RECORD.read_text(encoding="utf-8")) == make_record()


@pytest.mark.parametrize("name", ["rank", "diff", "research curve", "convert"])
@pytest.mark.parametrize("words", [[], ["--method", "bradley-terry"]])
def test_help_from_the_record_is_the_parsers_own(name: str, words: list[str]) -> None:
    command = commands()[name]
    words = words if "--method" in parser_of(command, []).flags() else []
    assert recorded_parser(command, words).format_help() == parser_of(command, words).format_help()


def test_help_imports_no_pandas() -> None:
    script = (
        "import sys; from analysis.cli import main\n"
        "for words in (['--help'], ['rank', '--help'], ['plan', '--method', 'bojar', '--help']):\n"
        "    assert main(words) == 0\n"
        "print({'pandas', 'numpy', 'numba', 'scipy', 'pyarrow'} & {*sys.modules}, file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stderr.strip() == "set()"


def test_the_overview_lists_every_command_of_today_in_its_group(
    capsys: pytest.CaptureFixture[str],
) -> None:
    shown = run(capsys, "--help")[1]
    assert [line for line in shown.splitlines() if line in GROUPS] == [*GROUPS]
    assert re.findall(r"^  (\S+(?: \S+)?)  ", shown, re.MULTILINE) == [*listed()]
    for name in ("apart", "claim", "machine", "compare-states"):
        assert f"  {name} " not in shown
    assert "  research grow" in run(capsys, "research")[1]


@pytest.mark.parametrize("name", listed())
def test_every_command_explains_itself_with_two_examples_that_it_understands(
    capsys: pytest.CaptureFixture[str], name: str
) -> None:
    code, shown, _ = run(capsys, *name.split(), "--help")
    assert code == 0
    command = listed()[name]
    assert command.help[1:] in " ".join(shown.split())
    assert len(command.examples) == 2
    for example in command.examples:
        assert f"podium {example}" in shown
        assert example.startswith(name)
        words = shlex.split(example)[len(name.split()) :]
        parser_of(command, words).parse_args(words)


def test_own_options_come_before_selection_and_hyperparameters(
    capsys: pytest.CaptureFixture[str],
) -> None:
    shown = run(capsys, "rank", "--method", "elo", "--help")[1]
    places = [
        shown.index(words)
        for words in ("\noptions:", "\nselection:", "\nhyperparameters of elo:", "\nexamples:")
    ]
    assert places == sorted(places)


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (("rnak", SAMPLE), "Did you mean rank?"),
        (("rank", SAMPLE, "--metod", "elo"), "Did you mean --method?"),
        (("rank", SAMPLE, "--method", "bradley-tery"), "Did you mean bradley-terry?"),
        (("rank", "sample:wmt14-csen"), "Did you mean wmt14-cs-en?"),
        (("research", "grwo"), "Did you mean research grow?"),
        (("rank", SAMPLE, "--scope", "knew"), "Did you mean new?"),
    ],
)
def test_a_slip_of_the_hand_is_answered_with_what_was_meant(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...], meant: str
) -> None:
    try:
        code, _, err = run(capsys, *words)
    except SystemExit as stop:
        code, err = int(stop.code or 0), capsys.readouterr().err
    assert code == 2
    assert meant in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("name", [name for name, one in commands().items() if one.now])
def test_an_old_name_says_what_it_is_called_now(
    capsys: pytest.CaptureFixture[str], name: str
) -> None:
    code, shown, _ = run(capsys, name, "--help")
    assert code == 0
    assert f"is now: podium {commands()[name].now}." in shown


def test_an_old_name_answers_and_says_it_afterwards(capsys: pytest.CaptureFixture[str]) -> None:
    words = (SAMPLE, "--method", "bojar", "--json")
    code, old, err = run(capsys, "apart", *words)
    assert code == 0
    assert err == (
        "podium apart is now: podium rank --pairs. The old name works in this version only.\n"
    )
    new = json.loads(run(capsys, "rank", *words)[1])
    assert [pair["p"] for pair in json.loads(old)["pairs"]] == [pair["p"] for pair in new["pairs"]]


def test_a_flag_may_be_written_with_underscores(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("rank", SAMPLE, "--json", "--method")
    assert run(capsys, *words, "expected_wins", "--lang_pair", "cs-en") == run(
        capsys, *words, "expected-wins", "--lang-pair=cs-en"
    )


def test_standard_input_is_a_file_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    file = ROOT / "data/examples/arena.csv"
    rank = ["rank", "--method", "bojar", "--json"]
    words = [sys.executable, "-m", "analysis", *rank, "-"]
    piped = subprocess.run(
        words, cwd=ROOT, input=file.read_bytes(), capture_output=True, check=True
    )
    named = run(capsys, *rank, str(file))[1]
    assert json.loads(piped.stdout)["systems"] == json.loads(named)["systems"]


def test_a_table_fits_the_terminal_unless_all_of_it_is_wanted(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "72")
    words = ("judges", SAMPLE, "--segments", "1-60")
    narrow, wide = run(capsys, *words)[1], run(capsys, *words, "--wide")[1]
    assert max(map(len, narrow.splitlines()[:5])) <= 72
    assert max(map(len, wide.splitlines()[:5])) > 120
    assert "--wide shows more columns: " in narrow


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["ra"], {"rank", "research", "report"}),
        (["research", ""], {"validate", "curve", "grow"}),
        (["rank", "votes.csv", "--me"], {"--method", "--lang-pair"}),
        (["rank", "votes.csv", "--scope", ""], {"new", "these"}),
    ],
)
def test_completion_offers_what_may_follow(words: list[str], expected: set[str]) -> None:
    assert expected <= {*what_may_follow(words)}


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_is_printed_for_a_shell(capsys: pytest.CaptureFixture[str], shell: str) -> None:
    assert "podium --complete" in run(capsys, "completion", shell)[1]
    assert run(capsys, "completion", "cmd")[0] == 2


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("rank", "podium rank: FILE is missing. For example: podium rank sample:wmt14-cs-en"),
        ("verify", "podium verify: ARCHIVE is missing."),
        ("resarch", "podium: resarch: no command has this name. Did you mean research?"),
        ("rank x.csv --metod elo", "--metod is not an option of this command. Did you mean"),
        ("research segments none.csv", "podium research segments: none.csv: "),
        ("convert x.csv -o y.csv --to wmt", "podium convert: --to: 'wmt' is not known."),
        (f"report {SAMPLE} -o report.docx", "-o: .docx is not a form of a report. Use .html or"),
        (f"report {SAMPLE} -o no/such/report.html", "no/such: the folder does not exist."),
        (f"compare {SAMPLE} --methods elo", "--methods: got elo. Name two or more"),
        ("summary data", "data: Is a directory. Name its files: data/*."),
    ],
)
def test_a_wrong_call_is_answered_at_once_with_what_to_type(
    capsys: pytest.CaptureFixture[str], line: str, expected: str
) -> None:
    try:
        code, out, err = run(capsys, *shlex.split(line))
    except SystemExit as stop:
        code, (out, err) = int(stop.code or 0), capsys.readouterr()
    assert (code, out) == (2, "")
    assert expected in err


def test_help_is_a_command_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "help") == run(capsys, "--help")
    assert run(capsys, "help", "rank") == run(capsys, "rank", "--help")
