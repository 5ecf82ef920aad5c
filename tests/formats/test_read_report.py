"""What a report says beyond rows left out: columns not used, shares of files, kinds of files."""

from __future__ import annotations

import gzip
import io
from pathlib import Path

import pandas as pd
import pytest

from analysis.errors import PodiumError
from analysis.formats import Profile, SeveralKindsError, read, read_many, read_path, read_sources
from analysis.formats.registry import nearest_in_words
from analysis.formats.report import Share

EXAMPLES = Path(__file__).parents[2] / "data" / "examples"
VOTES = b"left,right,winner,judge\na,b,left,ann\nb,c,tie,bob\n"


def test_a_column_that_is_not_used_is_named() -> None:
    data = b"left,right,winner,judge,Mood,weather\na,b,left,ann,good,rain\n"
    _, report = read(data)
    assert "2 columns were not used: Mood, weather." in report.sentences()
    assert not [o for o in read(VOTES)[1].oddities if o.kind == "unused-columns"]


def test_columns_of_records_that_are_not_used_are_named() -> None:
    _, report = read(b'{"model_a": "a", "model_b": "b", "winner": "model_a", "mood": "good"}\n')
    assert "1 column was not used: mood." in report.sentences()


def test_what_is_left_of_a_file_of_votes_is_said_of_votes() -> None:
    data = VOTES + b"a,b,,ann\na,a,left,bob\n,b,left,ann\na,b,foo,bob\n"
    _, report = read(data, name="votes.csv")
    assert (report.amount(), report.left_out_words()) == (
        "2 of 6 votes",
        "2 of 6 votes can be used.",
    )
    said = report.sentences()
    assert said[0] == "2 of 6 votes can be used."
    assert "1 vote was without a winner. Such votes contain no comparison and are not used." in said
    assert "ranking" not in " ".join(said)
    whole = read(VOTES, name="votes.csv")[1]
    assert (whole.amount(), whole.left_out_words()) == ("2 votes", "")
    assert whole.sentences()[0] == "Read 2 votes."


def test_ratings_are_counted_once_not_by_the_rows_that_have_several() -> None:
    wide = b"item,rater,alpha,beta\n1,ann,5,3\n2,ann,4,2\n"
    profile = Profile(scores=("alpha", "beta"), judge="rater", segment="item")
    _, report = read(wide, mapping=profile)
    assert report.amount() == "4 ratings"
    assert report.sentences()[0] == "Read 4 ratings from 2 rows of a table."


def test_an_unknown_header_is_answered_with_the_nearest_format() -> None:
    with pytest.raises(PodiumError) as caught:
        read(b"modelA;model B;victor\na;b;a\n")
    remedy = caught.value.remedy
    assert remedy.startswith("The nearest: arena votes (")
    assert len(remedy) < 300
    assert nearest_in_words(["rater", "category", "severity"]).startswith("The nearest: MQM errors")


def test_a_column_that_is_nearly_called_winner_is_named() -> None:
    with pytest.raises(PodiumError, match="winer is not a known column; did you mean winner\\? Re"):
        read(b"judge,system_a,system_b,winer\nj,a,b,a\n", name="votes.csv")


def test_shares_are_by_file_and_pair_and_add_up() -> None:
    header = "srclang,trglang,segmentId,judgeId,system1Id,system1rank,system2Id,system2rank"
    columns = f"{header},system3Id,system3rank\n"
    first = (columns + "de,en,1,ann,a,1,b,2,c,3\nfr,en,1,bob,a,1,d,2,e,2\n").encode()
    later = (columns + "de,en,2,bob,a,1,b,2,,\nde,en,2,bob,a,9,b,2,,\n").encode()
    campaign, report = read_many([("first.csv", first), ("later.csv", later)])
    assert report.shares == (
        Share("first.csv", "de-en", 1, 1, 3),
        Share("first.csv", "fr-en", 1, 1, 3),
        Share("later.csv", "de-en", 1, 1, 2, left_out=1),
    )
    assert sum(share.judgments for share in report.shares) == campaign.n_tasks


def test_rows_of_which_the_pair_is_not_known_have_a_share_of_their_own() -> None:
    data = VOTES.replace(b"judge", b"pair").replace(b"ann", b"de").replace(b"bob", b"fr")
    _, report = read(data + b"a,a,left,fr\n", name="votes.csv")
    assert [(share.pair, share.judgments, share.left_out) for share in report.shares] == [
        ("de", 1, 0), ("fr", 1, 0), ("", 0, 1),
    ]  # fmt: skip


def test_skipped_rankings_are_counted_where_they_are() -> None:
    _, report = read_path(EXAMPLES / "appraise-items.xml")
    (share,) = report.shares
    assert (share.judgments, share.skipped, share.judges, share.systems) == (4, 1, 2, 5)


def test_scores_have_shares_too() -> None:
    _, report = read_path(EXAMPLES / "scores.csv")
    assert [(share.judgments, share.judges) for share in report.shares] == [(72, 3)]


@pytest.mark.parametrize(
    "names",
    [("wmt-5way.csv", "scores.csv"), ("arena.csv", "counts.csv"), ("counts.csv", "scores.csv")],
)
def test_files_of_two_kinds_are_no_one_campaign(names: tuple[str, str]) -> None:
    with pytest.raises(SeveralKindsError, match="different kinds") as caught:
        read_path(*(EXAMPLES / name for name in names))
    assert list(caught.value.kinds.values()) == [[name] for name in names]


def test_votes_and_rankings_are_one_kind() -> None:
    votes = b"model_a,model_b,winner\naurora,boreal,model_a\n"
    campaign, report = read_many(
        [("a.csv", (EXAMPLES / "wmt-5way.csv").read_bytes()), ("b.csv", votes)]
    )
    assert campaign.n_tasks == 35
    assert len(report.shares) == 3


def votes_of(winner: str, n: int = 12, head: str = "", cells: str = "") -> bytes:
    rows = [f"q{k},x,y,{winner if k % 3 else 'tie'}{cells}" for k in range(n)]
    return "\n".join([f"question_id,model_a,model_b,winner{head}", *rows]).encode()


def test_votes_on_the_same_items_without_judges_are_no_one_campaign() -> None:
    files = [("human.csv", votes_of("model_a")), ("gpt-4.1.csv", votes_of("model_b"))]
    with pytest.raises(SeveralKindsError, match="votes on the same items and name no") as caught:
        read_many(files)
    assert caught.value.kinds == {"human.csv": ["human.csv"], "gpt-4.1.csv": ["gpt-4.1.csv"]}
    assert "name the judge of each vote in a column" in str(caught.value)


def test_identical_files_are_read_once_and_said_to_be_identical() -> None:
    data, table = votes_of("model_a"), ("systems.csv", b"system,params\nx,7\ny,13\n")
    packed = gzip.compress(data, mtime=0)
    files = [("h1.csv", data), table, ("h2.csv.gz", packed), ("h3.csv", data)]
    campaign, report = read_many(files)
    assert (campaign.n_tasks, report.files) == (12, ("h1.csv",))
    assert "h1.csv, h2.csv.gz and h3.csv are identical and are used once." in report.sentences()
    _, report = read_many([files[0], files[0]])
    assert "h1.csv was given twice and is used once." in report.sentences()
    more = ("llm.csv", votes_of("model_b"))
    with pytest.raises(SeveralKindsError) as caught:
        read_many([*files, more])
    assert list(caught.value.kinds) == ["h1.csv", "llm.csv"]
    assert "are identical and are used once. These files contain" in caught.value.question


def test_frames_of_one_name_are_all_read() -> None:
    data = [votes_of(side, head=",judge", cells=f",{side}") for side in ("model_a", "model_b")]
    frames = [pd.read_csv(io.BytesIO(one)) for one in data]
    campaign, report = read_sources([("votes", frame) for frame in frames])
    assert campaign.n_tasks == sum(map(len, frames))
    assert not any("identical" in sentence for sentence in report.sentences())


@pytest.mark.parametrize(
    "second",
    [votes_of("model_b", head=",judge", cells=",gpt"), votes_of("tie", n=3),
     votes_of("tie").replace(b",y,", b",z,"), votes_of("tie").replace(b"\nq", b"\np"),
     votes_of("tie") + votes_of("model_b").partition(b"\n")[2].join([b"\n", b"\n"])],
)  # fmt: skip
def test_votes_that_differ_in_judges_or_items_are_one_campaign(second: bytes) -> None:
    campaign, _ = read_many([("human.csv", votes_of("model_a")), ("more.csv", second)])
    assert campaign.n_tasks > 12


def test_real_judges_on_the_same_items_are_asked_about(campaigns_dir: Path) -> None:
    folder = campaigns_dir / "arena-judges"
    with pytest.raises(SeveralKindsError, match=r"gpt-3\.5-turbo\.json\.gz"):
        read_path(folder / "human.json.gz", folder / "gpt-3.5-turbo.json.gz")
