"""What a person is told is one line, whatever a file holds that it quotes."""

from __future__ import annotations

import pytest

from analysis.cli import main
from analysis.errors import PodiumError, speak_to
from analysis.next_campaign.batch import read_tasks
from analysis.rankers.bradley_terry import BradleyTerry


def test_a_message_is_one_line_without_signs_that_steer_a_terminal() -> None:
    error = PodiumError("a\r\nb", "name \x1b[31mred\x07\u2028", "Mend\tit.")
    assert str(error) == "a b: name  [31mred . Mend it."


def test_tasks_of_a_pair_that_a_quotation_mark_swallowed_are_refused_in_short() -> None:
    rows = "srclang,trglang,segmentId,judgeId,system1Id,system2Id\nfra,"
    data = f'{rows}"eng,0,j,a,b\n{"fra,eng,1,j,b,c" * 50}\n'.encode()
    with pytest.raises(PodiumError, match="its tasks are of fra-eng,0,j,a,b fra") as error:
        read_tasks(data, "batch.csv", "fra-eng")
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 150


def test_a_message_names_the_control_of_the_front_end_at_hand(
    capsys: pytest.CaptureFixture[str],
) -> None:
    def said() -> str:
        with pytest.raises(PodiumError) as error:
            BradleyTerry(prior=-1.0)
        return str(error.value)

    assert said().startswith("prior: ")
    assert main(["rank", "sample:wmt14-cs-en", "--method", "bradley-terry", "--prior", "-1"]) == 2
    assert "rank: --prior: " in capsys.readouterr().err
    speak_to("page")
    assert said().startswith("Setting prior: ")
