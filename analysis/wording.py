"""How numbers and names are written for people: on a page, in a figure, in a report."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from functools import partial

EN_DASH = "–"


def thousands(number: float) -> str:
    """Write a number with commas between thousands and without decimals.

    >>> thousands(54321)
    '54,321'
    """
    return f"{int(number):,}"


def percent(share: float) -> str:
    """Write a share as percent without decimals, never rounding doubt away.

    >>> [percent(share) for share in (0, .004, .5, .998, 1, float("nan"))]
    ['0%', '<1%', '50%', '>99%', '100%', '–']
    """
    if math.isnan(share):
        return EN_DASH
    if 0 < share <= 0.005:
        return "<1%"
    if 0.995 <= share < 1:
        return ">99%"
    return f"{share:.0%}"


def chance(share: float) -> str:
    """Write a share of draws as the probability that it estimates: none is impossible or certain.

    >>> [chance(share) for share in (0, .004, .5, 1)]
    ['<1%', '<1%', '50%', '>99%']
    """
    return {0.0: "<1%", 1.0: ">99%"}.get(share, percent(share))


def significant(number: float, digits: int = 3) -> str:
    """Write a number with that many significant digits, a minus as a minus.

    >>> [significant(x) for x in (.12345, -1.5, 1234.5, 0, float("nan"))]
    ['0.123', '−1.50', '1234', '0', '–']
    """
    if not math.isfinite(number):
        return EN_DASH
    if number == 0:
        return "0"
    places = max(0, digits - 1 - math.floor(math.log10(abs(number))))
    return f"{number:.{places}f}".replace("-", "−")


def fixed(number: float, decimals: int = 2) -> str:
    """Write a number with that many decimals, a minus as a minus; zero has none.

    >>> fixed(-0.084), fixed(-0.001), fixed(1238.9, 0), fixed(float("nan"))
    ('−0.08', '0.00', '1,239', '–')
    """
    return EN_DASH if math.isnan(number) else f"{number:z,.{decimals}f}".replace("-", "−")


def as_score(scores: Iterable[float]) -> Callable[[float], str]:
    """Return how scores of this size are written: of hundreds, as Elo's, without decimals.

    >>> as_score([0.3, -0.1])(-0.084), as_score([92.8, 66.9])(1.686), as_score([812.0, 1238.9])(6.2)
    ('−0.084', '1.69', '6')
    """
    largest = max((abs(score) for score in scores if math.isfinite(score)), default=0.0)
    return partial(fixed, decimals=0 if largest >= 100 else 2 if largest >= 10 else 3)


def interval(low: float, high: float, write: Callable[[float], str] = fixed) -> str:
    """Write the two ends of an interval.

    >>> interval(-0.5, 1.25), interval(math.nan, math.nan)
    ('−0.50 to 1.25', '–')
    """
    return EN_DASH if math.isnan(low) else f"{write(low)} to {write(high)}"


def signed(number: float, decimals: int = 2) -> str:
    """Write a number with its sign and that many decimals.

    >>> signed(0.084), signed(-1, 1), signed(float("nan"))
    ('+0.08', '−1.0', '–')
    """
    return EN_DASH if math.isnan(number) else f"{number:+.{decimals}f}".replace("-", "−")


P_VALUES = frozenset({"p", "p_value", "p_adjusted", "adjusted_p", "accuracy_p", "perplexity_p"})
"""Columns of tables that hold p-values, whatever state of a campaign they are of."""


def is_p_value(column: object) -> bool:
    """Say whether a table's column holds p-values.

    >>> [is_p_value(name) for name in ("adjusted_p_before", "p adjusted", "p_first")]
    [True, True, False]
    """
    name = str(column).replace(" ", "_")
    return name.removesuffix("_before").removesuffix("_after") in P_VALUES


def p_number(p: float) -> str:
    """Write a p-value as papers do; none is so small that it is 0.

    >>> [p_number(p) for p in (.00004, .0123, .0999, .5, 1.0, float("nan"))]
    ['< 0.001', '0.012', '0.100', '0.50', '1', '–']
    """
    if math.isnan(p):
        return EN_DASH
    if p < 0.001:
        return "< 0.001"
    if p > 0.995:
        return "1"
    return f"{p:.{3 if p < 0.1 else 2}f}"


def p_value(p: float) -> str:
    """Write a p-value in a sentence.

    >>> [p_value(p) for p in (.00004, .0123, 1.0)]
    ['p < 0.001', 'p = 0.012', 'p = 1']
    """
    number = p_number(p)
    return f"p {number}" if number.startswith("<") else f"p = {number}"


def span(low: int, high: int) -> str:
    """Write a range of ranks; 0 stands for no rank.

    >>> [span(2, 5), span(3, 3), span(0, 0)]
    ['2–5', '3', '–']
    """
    if not low:
        return EN_DASH
    return str(low) if low == high else f"{low}{EN_DASH}{high}"


def count(n: int, one: str, many: str | None = None) -> str:
    """Write a number with its noun.

    >>> [count(1, "judge"), count(3, "judge")]
    ['1 judge', '3 judges']
    """
    return f"{thousands(n)} {one if n == 1 else many or one + 's'}"


def rounded_up(number: float) -> str:
    """Write a distance with three significant digits, never below it.

    >>> rounded_up(0.01047), rounded_up(0.12461), rounded_up(0.25), rounded_up(0.0)
    ('0.0105', '0.125', '0.25', '0')
    """
    if not number > 0:
        return "0"
    unit = 10.0 ** (math.floor(math.log10(number)) - 2)
    return f"{math.ceil(round(number / unit, 6)) * unit:.6g}"


def listed(names: Sequence[str], most: int | None = None) -> str:
    """Write names as a list, by semicolons where a name has a comma, of many the rest as a number.

    >>> listed(["a"]), listed(["a", "b", "c"]), listed("abcde", most=3)
    ('a', 'a, b and c', 'a, b and 3 more')
    >>> listed(["Hopkins & May, Gaussian", "Elo", "Bojar"])
    'Hopkins & May, Gaussian; Elo; and Bojar'
    >>> listed(["Hopkins & May, Gaussian", "Elo"])
    'Hopkins & May, Gaussian and Elo'
    """
    shown = list(names)
    if most is not None and len(shown) > most:
        kept = max(1, most - 1)
        shown[kept:] = [f"{len(names) - kept} more"]
    if len(shown) < 2:
        return "".join(shown)
    if len(shown) > 2 and any("," in name for name in shown):
        return "; ".join([*shown[:-1], f"and {shown[-1]}"])
    return f"{', '.join(shown[:-1])} and {shown[-1]}"


def capital(words: str) -> str:
    """Begin a sentence with a capital, all else as it is; κ is a symbol.

    >>> capital("one of WMT14's"), capital("κ 0.25")
    ("One of WMT14's", 'κ 0.25')
    """
    return words if words.startswith("κ") else words[:1].upper() + words[1:]


LONGEST_CLAIM, SHORTEST_CLAIM = 14, 4
"""Words of a heading."""


def claim(sentence: str) -> str:
    """Return the first claim of a finding, in 14 words or fewer where it can be cut.

    >>> claim("a is clearly above b; 52 of 66 pairs of systems differ significantly at the level")
    'a is clearly above b'
    """
    return claim_and_rest(sentence)[0]


def claim_and_rest(sentence: str) -> tuple[str, str]:
    """Return the first claim of a finding, and what it leaves out.

    >>> claim_and_rest("Continue: expect about 250 more tasks (90% interval 120 to 900) until "
    ...     "all pairs differ; now 52")[1]
    '90% interval 120 to 900; now 52'
    >>> claim_and_rest("9 of 10 numbers from judgments match what the paper prints in its tables "
    ...     "of them; 7 of 8 others (3 by guessing)")[1]
    '7 of 8 others (3 by guessing)'
    """
    short, rest = sentence.removesuffix("."), list[str]()
    for cut in (r"; .*", r" \([^()]*\)", r" until .*", r", .*", r": .*"):
        if len(short.split()) <= LONGEST_CLAIM:
            break
        shorter = re.sub(cut, "", short)
        if len(shorter.split()) >= SHORTEST_CLAIM:
            rest += re.findall(cut, short)
            short = shorter
    pieces = [piece.strip("; ,:") for piece in sorted(rest, key=sentence.find)]
    return short, "; ".join(p[1:-1] if p.startswith("(") else p for p in pieces)


def duration(seconds: float) -> str:
    """Write a time that is left or was taken.

    >>> [duration(s) for s in (.4, 41.2, 95, 4000)]
    ['1 s', '41 s', '1 min 35 s', '1 h 6 min']
    """
    whole = max(1, round(seconds))
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"
