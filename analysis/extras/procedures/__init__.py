"""Official rankings of scores by the year's own rules, under their names.

`ScoreTable.of` prepares the scores of one language pair, `Procedure.run` ranks them.
"""

from analysis.registry import Extra

EXTRA = Extra(hooks={"rank": "analysis.extras.procedures.command"})
