"""A machine's votes beside people's: published-like figures, definitions by hand, both sides."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.campaign import Campaign, Judgments, Selection
from analysis.drawing.rows import Rows
from analysis.errors import PodiumError
from analysis.extras.llm_judges.agreement import MachineAgreement, _matched, agreement_beside
from analysis.extras.llm_judges.beside import Beside, lay_beside
from analysis.extras.llm_judges.findings import machines_slide
from analysis.formats import read
from analysis.samples import machine_judges, sample_campaign
from analysis.wording import percent

EXPECTED = {
    "gpt-4-0125-preview": (0.329, 0.551, 0.833, 0.555),
    "claude-3-opus-20240229": (0.211, 0.395, 0.723, 0.475),
    "gpt-3.5-turbo": (0.073, 0.863, 0.570, 0.400),
}
"""κ, first-shown, decided agreement, agreement on the 26,919 votes of Chatzi et al. 2024."""


def votes(*rows: str, header: str = "model_a,model_b,winner,judge,question_id") -> Campaign:
    return read("\n".join([header, *rows, ""]).encode())[0]


def beside(people: Campaign, machine: Campaign) -> MachineAgreement:
    return agreement_beside(lay_beside(people, machine, "m"))


@pytest.mark.parametrize("judge", EXPECTED)
def test_the_machines_of_the_arena_agree_with_people_as_counted_by_hand(judge: str) -> None:
    people = sample_campaign("arena-people")
    found = agreement_beside(lay_beside(people, machine_judges("arena-people")[judge], judge))
    kappa, first_shown, decided, agreement = EXPECTED[judge]
    assert found.n == 26_919
    assert found.kappa.value == pytest.approx(kappa, abs=5e-4)
    assert found.first_shown.value == pytest.approx(first_shown, abs=5e-4)
    assert found.decided_agreement.value == pytest.approx(decided, abs=5e-4)
    assert found.agreement.value == pytest.approx(agreement, abs=5e-4)
    assert found.human_first_shown.value == pytest.approx(0.5033, abs=5e-5)
    assert found.kappa.low < found.kappa.value < found.kappa.high
    assert not found.consistency.is_known


def test_a_vote_counts_from_the_side_of_what_the_person_saw_on_the_left() -> None:
    people = votes("a,b,model_a,ann,1", "b,c,model_b,ann,2", "a,c,tie,bob,3", "a,b,tie,bob,4")
    machine = votes("b,a,model_b,m,1", "b,c,model_a,m,2", "c,a,tie,m,3", "a,b,model_a,m,4")
    found = beside(people, machine)
    assert found.n == 4
    assert found.agreement.value == 0.5
    assert found.decided_agreement.value == 0.5
    assert found.first_shown.value == pytest.approx(2 / 3)
    # both: one win and one loss of two decided, ties 2 and 1; chance 1/4·1/2 + 1/2·1/4 + 1/4·1/4
    chance = 0.25 * 0.5 + 0.5 * 0.25 + 0.25 * 0.25
    assert found.kappa.value == pytest.approx((0.5 - chance) / (1 - chance))


def test_kappa_s_interval_is_that_of_resampled_questions() -> None:
    rng = np.random.default_rng(3)
    n, per = 150, 4
    rows, own = [], []
    for q in range(n):
        hard = rng.random() < 0.5
        for k in range(per):
            a, b = ("a", "b", "c", "d")[k], "e"
            theirs = ("model_a", "model_b", "tie")[rng.choice(3, p=(0.6, 0.3, 0.1))]
            same = rng.random() < (0.2 if hard else 0.9)
            mine = theirs if same else ("model_a", "model_b", "tie")[rng.integers(3)]
            rows.append(f"{a},{b},{theirs},p,{q}")
            own.append(f"{a},{b},{mine},m,{q}")
    found = lay_beside(votes(*rows), votes(*own), "m")
    measured = agreement_beside(found)
    width = (measured.kappa.high - measured.kappa.low) / (2 * 1.96)

    h = np.array([r.split(",")[2] for r in rows]).reshape(n, per)
    m = np.array([r.split(",")[2] for r in own]).reshape(n, per)
    drawn = []
    for _ in range(800):
        pick = rng.integers(n, size=n)
        x, y = h[pick].ravel(), m[pick].ravel()
        chance = sum((x == c).mean() * (y == c).mean() for c in ("model_a", "model_b", "tie"))
        drawn.append(((x == y).mean() - chance) / (1 - chance))
    assert width == pytest.approx(np.std(drawn), rel=0.1)


def test_both_orders_of_an_item_tell_how_consistent_a_machine_is() -> None:
    people = votes("a,b,model_a,ann,1", "a,b,model_b,ann,2", "a,b,tie,ann,3")
    machine = votes(
        "a,b,model_a,m,1", "b,a,model_b,m,1",  # a wins, whatever comes first
        "a,b,model_a,m,2", "b,a,model_a,m,2",  # the first wins
        "a,b,tie,m,3",
    )  # fmt: skip
    found = beside(people, machine)
    assert found.consistency.n == 2
    assert found.consistency.value == 0.5
    assert found.n == 3  # a vote of people counts once, however often the machine was asked
    assert found.agreement.value == pytest.approx((1 + 0.5 + 1) / 3)
    assert found.consistency.low < 0.5 < found.consistency.high


def test_systems_and_questions_that_one_file_lacks_do_not_count() -> None:
    people = votes("a,b,model_a,ann,1", "a,x,model_a,ann,1", "a,b,model_a,ann,9")
    machine = votes("a,b,model_a,m,1", "a,y,model_a,m,2", "a,b,tie,m,3")
    found = lay_beside(people, machine, "m")
    assert found.only_people == ("x",)
    assert found.only_machine == ("y",)
    assert (found.n_shared, found.n_items) == (1, 2)
    assert agreement_beside(found).n == 1


def test_a_judge_of_the_same_file_can_be_the_machine() -> None:
    both = votes("a,b,model_a,ann,1", "a,b,model_a,gpt,1", "a,b,model_b,bob,2", "a,b,tie,gpt,2")
    selection = Selection(exclude_judges=("gpt",))
    found = lay_beside(both, both, "gpt", selection=selection, within=True)
    assert agreement_beside(found).n == 2
    assert agreement_beside(found).agreement.value == 0.5


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        (["x,y,model_a,m,1"], "names none of the human-judged systems"),
        (["a,b,model_a,m,77"], "no item was judged by both humans and the LLM"),
    ],
)
def test_files_that_share_nothing_are_refused_with_the_reason(rows: list[str], told: str) -> None:
    with pytest.raises(PodiumError, match=told):
        lay_beside(votes("a,b,model_a,ann,1"), votes(*rows), "m")


def _matched_readably(found: Beside) -> dict[tuple[int, int, int], float]:
    """Every vote of people with every vote of the machine on its item, one pair at a time."""
    weights: dict[tuple[int, int, int], float] = {}
    for row in np.flatnonzero(found.seen_by_machine):
        others = np.flatnonzero(found.machine_item == found.people_item[row])
        for other in others:
            same = found.people.left[row] == found.machine.left[other]
            vote = int(found.machine.outcome[other]) * (1 if same else -1)
            key = (int(row), int(found.people.outcome[row]), vote)
            weights[key] = weights.get(key, 0.0) + 1 / len(others)
    return weights


def test_votes_are_matched_as_if_each_were_paired_with_each() -> None:
    rng = np.random.default_rng(5)

    def some(n: int, judge: str) -> Campaign:
        rows = []
        for _ in range(n):
            a, b = rng.permutation(list("ABC"))[:2]
            winner = rng.choice(["model_a", "model_b", "tie"])
            rows.append(f"{a},{b},{winner},{judge},{rng.integers(3)}")
        return votes(*rows)

    found = lay_beside(some(40, "p"), some(60, "m"), "m")
    matched = _matched(found)
    got = {
        (int(row), int(person), int(machine)): float(weight)
        for row, person, machine, weight in zip(*matched, strict=True)
    }
    assert got == pytest.approx(_matched_readably(found))


def test_many_votes_on_one_question_take_rows_in_proportion_to_the_votes() -> None:
    few = Beside("m", *_one_question(60_000), *np.zeros((4, 60_000), dtype=np.int64))
    assert len(_matched(few).row) <= 3 * 60_000


def _one_question(n: int) -> tuple[Judgments, Judgments]:
    half = n // 2
    counts = f"model_a,model_b,wins_a,wins_b,ties\na,b,{half},{n - half},0\n".encode()
    campaign, _ = read(counts)
    return campaign.judgments(), campaign.judgments()


def test_the_slide_has_each_llm_judge_once_the_best_on_top_from_zero() -> None:
    campaign, machines = sample_campaign("arena-people"), machine_judges("arena-people")
    known = [
        agreement_beside(lay_beside(campaign, machines[name], name), 0.95)
        for name in ("gpt-3.5-turbo", "gpt-4-0125-preview")
    ]
    slide = machines_slide(known)
    assert isinstance(slide.block, Rows)
    assert [row.name for row in slide.block.rows] == ["gpt-4-0125-preview", "gpt-3.5-turbo"]
    best = known[1]
    assert [cell.now for cell in slide.block.rows[0].cells] == [
        percent(best.agreement.value),
        percent(best.first_shown.value),
    ]
    assert slide.block.reach is not None
    assert slide.block.reach[0] < 0 < best.kappa.high < slide.block.reach[1]
    assert slide.title.startswith("gpt-4-0125-preview agrees with humans in")
