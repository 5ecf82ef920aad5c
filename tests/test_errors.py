"""What a person is told is one line, whatever a file holds that it quotes."""

from __future__ import annotations

import pytest

from analysis.errors import PodiumError
from analysis.next_campaign.batches import read_tasks


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
