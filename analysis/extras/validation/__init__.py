"""Methods and validation: which method predicts unseen judgments best, and the papers' studies.

`prediction` asks methods for judgments that they have not seen, `simulation` makes campaigns of
known truth, `growing` and `noise` vary size and judges, `segments` has how hard each segment is,
and `replication` computes published numbers again.
"""

from analysis.registry import Command, Extra

PLACE = "analysis.extras.validation"
S = "sample:wmt14-cs-en"
COMMANDS = (
    Command(
        "research validate",
        "which model predicts unseen judgments best",
        f"{PLACE}.prediction.validate",
        "Research",
        (f"research validate {S} --methods expected-wins", f"research validate {S} --folds 5"),
    ),
    Command(
        "research curve",
        "prediction quality after a given number of judgments",
        f"{PLACE}.prediction.curve",
        "Research",
        (
            f"research curve {S} --methods expected-wins --sizes 100,400",
            f"research curve {S} --preset hm13",
        ),
    ),
    Command(
        "research claims",
        "each paper's main claim, tested on this campaign, with the power to refute it",
        f"{PLACE}.paper_claims",
        "Research",
        ("research claims sample:wmt13-fr-en", "research claims votes.csv --json"),
    ),
    Command(
        "research simulate",
        "studies on simulated campaigns of known truth, or one such campaign",
        f"{PLACE}.simulation.command",
        "Research",
        (
            "research simulate --judgments 2000 -o simulated.csv",
            "research simulate --study rank-ranges --experiments 20",
        ),
    ),
    Command(
        "research grow",
        "number of clusters and abilities for campaigns of given sizes",
        f"{PLACE}.growing.command",
        "Research",
        (f"research grow {S} --sizes 200,800", "research grow votes.csv --of abilities"),
    ),
    Command(
        "research noise",
        "how close methods stay to the gold standard if judges answer at random",
        f"{PLACE}.noise.command",
        "Research",
        (f"research noise {S}", "research noise votes.csv --shares 0,0.2"),
    ),
    Command(
        "research replicate",
        "recompute published numbers, with a verdict on each",
        f"{PLACE}.replication.command",
        "Research",
        ("research replicate --quick", "research replicate --only koehn-table-4"),
    ),
    Command(
        "research segments",
        "difficulty and information of each segment",
        f"{PLACE}.segments.command",
        "Research",
        (f"research segments {S}", "research segments votes.csv --json"),
    ),
)

EXTRA = Extra(
    commands=(
        *COMMANDS,
        *(
            Command(one.name.removeprefix("research "), one.name, one.module, now=one.name)
            for one in COMMANDS
            if one.name != "research claims"
        ),
    )
)
