"""Systems that answer with numbers, labels or lists of documents, scored against people's.

Quality estimation (segments and words), metric scores of systems, and search for translations, as
in Bojar et al. 2014, sections 4 and 5. Each is a table of units (segments, queries) by systems;
a `Scoreboard` has every measure of every system with an interval, and those that may be best."""

from analysis.registry import Command, Extra

EXTRA = Extra(
    commands=(
        Command(
            "scores",
            "accuracy of quality estimates, labels, metric scores and search results",
            "analysis.extras.scores.command",
            "Extras",
            ("scores estimates.csv", "scores run.txt relevance.txt --level 0.9"),
        ),
    )
)
