"""The papers behind the methods: how a text cites them, and their BibTeX entries."""

from __future__ import annotations

from dataclasses import dataclass

_WMT = "Proceedings of the {} Workshop on Statistical Machine Translation"


@dataclass(frozen=True)
class Reference:
    """One publication; ``authors`` as ``Last, First``, ``place`` the BibTeX fields that follow."""

    key: str
    kind: str
    authors: tuple[str, ...]
    year: int
    title: str
    place: tuple[tuple[str, str], ...]

    @property
    def cited(self) -> str:
        """Return author and year as a running text has them.

        >>> REFERENCES["hopkins-may-2013-models"].cited
        'Hopkins and May, 2013'
        """
        names = [author.split(",")[0] for author in self.authors]
        if len(names) > 2:
            return f"{names[0]} et al., {self.year}"
        return f"{' and '.join(names)}, {self.year}"

    @property
    def line(self) -> str:
        """Return the entry of a list of references, as plain text."""
        names = [" ".join(reversed(author.split(", "))) for author in self.authors]
        joined = names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
        place = dict(self.place)
        where = place.get("booktitle") or place.get("journal") or place["publisher"]
        volume = f" {place['volume']}({place['number']})" if "volume" in place else ""
        pages = f", pages {place['pages'].replace('--', '–')}" if "pages" in place else ""
        return f"{joined}. {self.year}. {self.title}. {where}{volume}{pages}."

    @property
    def bibtex(self) -> str:
        """Return the BibTeX entry; capitals of the title are kept."""
        fields = [
            ("author", " and ".join(self.authors)),
            ("title", f"{{{self.title}}}"),
            *self.place,
            ("year", str(self.year)),
        ]
        lines = [f"  {name} = {{{value.replace('–', '--')}}}," for name, value in fields]
        return "\n".join([f"@{self.kind}{{{self.key},", *lines, "}"])


def _in_proceedings(book: str, pages: str) -> tuple[tuple[str, str], ...]:
    return (("booktitle", book), ("pages", pages))


def _in_journal(name: str, volume: int, number: str, pages: str) -> tuple[tuple[str, str], ...]:
    return (("journal", name), ("volume", str(volume)), ("number", number), ("pages", pages))


REFERENCES: dict[str, Reference] = {
    reference.key: reference
    for reference in (
        Reference(
            "bojar-etal-2011-grain",
            "inproceedings",
            ("Bojar, Ondřej", "Ercegovčević, Miloš", "Popel, Martin", "Zaidan, Omar"),
            2011,
            "A Grain of Salt for the WMT Manual Evaluation",
            _in_proceedings(_WMT.format("Sixth"), "1--11"),
        ),
        Reference(
            "bojar-etal-2014-findings",
            "inproceedings",
            (
                "Bojar, Ondřej", "Buck, Christian", "Federmann, Christian", "Haddow, Barry",
                "Koehn, Philipp", "Leveling, Johannes", "Monz, Christof", "Pecina, Pavel",
                "Post, Matt", "Saint-Amand, Herve", "Soricut, Radu", "Specia, Lucia",
                "Tamchyna, Aleš",
            ),
            2014,
            "Findings of the 2014 Workshop on Statistical Machine Translation",
            _in_proceedings(_WMT.format("Ninth"), "12--58"),
        ),
        Reference(
            "bradley-terry-1952-rank",
            "article",
            ("Bradley, Ralph Allan", "Terry, Milton E."),
            1952,
            "Rank Analysis of Incomplete Block Designs: I. The Method of Paired Comparisons",
            _in_journal("Biometrika", 39, "3/4", "324--345"),
        ),
        Reference(
            "callison-burch-etal-2010-findings",
            "inproceedings",
            (
                "Callison-Burch, Chris", "Koehn, Philipp", "Monz, Christof", "Peterson, Kay",
                "Przybocki, Mark", "Zaidan, Omar",
            ),
            2010,
            "Findings of the 2010 Joint Workshop on Statistical Machine Translation and Metrics "
            "for Machine Translation",
            _in_proceedings(
                "Proceedings of the Joint Fifth Workshop on Statistical Machine Translation and "
                "MetricsMATR",
                "17--53",
            ),
        ),
        Reference(
            "callison-burch-etal-2012-findings",
            "inproceedings",
            (
                "Callison-Burch, Chris", "Koehn, Philipp", "Monz, Christof", "Post, Matt",
                "Soricut, Radu", "Specia, Lucia",
            ),
            2012,
            "Findings of the 2012 Workshop on Statistical Machine Translation",
            _in_proceedings(_WMT.format("Seventh"), "10--51"),
        ),
        Reference(
            "davidson-1970-extending",
            "article",
            ("Davidson, Roger R.",),
            1970,
            "On Extending the Bradley–Terry Model to Accommodate Ties in Paired Comparison "
            "Experiments",
            _in_journal("Journal of the American Statistical Association", 65, "329", "317--328"),
        ),
        Reference(
            "elo-1978-rating",
            "book",
            ("Elo, Arpad E.",),
            1978,
            "The Rating of Chessplayers, Past and Present",
            (("publisher", "Arco"),),
        ),
        Reference(
            "herbrich-etal-2006-trueskill",
            "inproceedings",
            ("Herbrich, Ralf", "Minka, Tom", "Graepel, Thore"),
            2006,
            "TrueSkill: A Bayesian Skill Rating System",
            _in_proceedings("Advances in Neural Information Processing Systems 19", "569--576"),
        ),
        Reference(
            "hopkins-may-2013-models",
            "inproceedings",
            ("Hopkins, Mark", "May, Jonathan"),
            2013,
            "Models of Translation Competitions",
            _in_proceedings(
                "Proceedings of the 51st Annual Meeting of the Association for Computational "
                "Linguistics (Volume 1: Long Papers)",
                "1416--1424",
            ),
        ),
        Reference(
            "koehn-2012-simulating",
            "inproceedings",
            ("Koehn, Philipp",),
            2012,
            "Simulating Human Judgment in Machine Translation Evaluation Campaigns",
            _in_proceedings(
                "Proceedings of the 9th International Workshop on Spoken Language Translation",
                "179--184",
            ),
        ),
        Reference(
            "landis-koch-1977-measurement",
            "article",
            ("Landis, J. Richard", "Koch, Gary G."),
            1977,
            "The Measurement of Observer Agreement for Categorical Data",
            _in_journal("Biometrics", 33, "1", "159--174"),
        ),
        Reference(
            "lopez-2012-putting",
            "inproceedings",
            ("Lopez, Adam",),
            2012,
            "Putting Human Assessments of Machine Translation Systems in Order",
            _in_proceedings(_WMT.format("Seventh"), "1--9"),
        ),
        Reference(
            "otani-etal-2016-irt",
            "inproceedings",
            ("Otani, Naoki", "Nakazawa, Toshiaki", "Kawahara, Daisuke", "Kurohashi, Sadao"),
            2016,
            "IRT-based Aggregation Model of Crowdsourced Pairwise Comparison for Evaluating "
            "Machine Translations",
            _in_proceedings(
                "Proceedings of the 2016 Conference on Empirical Methods in Natural Language "
                "Processing",
                "511--520",
            ),
        ),
        Reference(
            "rao-kupper-1967-ties",
            "article",
            ("Rao, P. V.", "Kupper, L. L."),
            1967,
            "Ties in Paired-Comparison Experiments: A Generalization of the Bradley–Terry Model",
            _in_journal("Journal of the American Statistical Association", 62, "317", "194--204"),
        ),
        Reference(
            "sakaguchi-etal-2014-efficient",
            "inproceedings",
            ("Sakaguchi, Keisuke", "Post, Matt", "Van Durme, Benjamin"),
            2014,
            "Efficient Elicitation of Annotations for Human Evaluation of Machine Translation",
            _in_proceedings(_WMT.format("Ninth"), "1--11"),
        ),
    )
}  # fmt: skip
