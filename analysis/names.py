"""What names of systems say: the short name that people use, and whether it is a reference's.

``newstest2015.uedin-syntax.4027.de-en.txt`` is ``uedin-syntax``, and ``HUMAN-B`` a reference.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import takewhile

_SEPARATOR = re.compile(r"[./](?!(?<=\d\.)\d{1,2}(?!\d))")
"""A dot or slash, but no decimal point as in ``gpt-3.5`` or ``2.10``."""

_KIND = re.compile(r"[-_.]+(primary|unconstrained)$", re.IGNORECASE)
"""What submissions are called by, which says nothing of who made them."""

ELLIPSIS = "…"

LONGEST = 2000
"""Characters above which a name is a text, whose parts say nothing; it stays as it is."""

_WHICH = r"[A-Ea-e]|\d{1,2}|std|orig|alt|human|ht|pe|[Hh]uman|HUMAN|HT|PE"
_NAMED = rf"(?:ref|REF|Ref)(?:erence|ERENCE)?s?(?:[-_. ]?(?:[A-E]|\d{{1,2}})|[-_. ](?:{_WHICH}))?"
_HUMAN = r"(?:.*[-_. ])?(?:human|HUMAN|Human)(?:[-_. ]?(?:[A-Z]|\d{1,2})|[-_. ][a-z])?"
_NO_HUMAN = "".join(f"(?<!{word})" for word in ("no", "non", "with", "out", "self", "multi"))
_LAST = rf".*{_NO_HUMAN}[-_. ](?:[Rr]eferences?|REFERENCE|ref[A-E])"
_TEST_SET = r"(?:\w*test\d{2,4}|wmt\d{2,4})"
_REFERENCE = re.compile(
    rf"{_NAMED}|{_HUMAN}|{_LAST}|{_TEST_SET}(?:[./].*)?[./]{_NAMED}(?:[./].*)?"
    rf"|{_TEST_SET}-[a-z]{{2,3}}-?[a-z]{{2,3}}-{_NAMED}(?:[./].*)?"
)
"""A name that is *reference* with a letter, a number or who made it, one that ends in *human* or
*reference*, or one with such a part in a test set's file name. A system such as ``REFINE``,
``ref-net``, ``with-reference`` or ``REF-F`` (references have the letters A to E) is none."""


def short_names(systems: Sequence[str]) -> dict[str, str]:
    """Return a short name for every system, no two alike.

    What all the names begin or end with is left out, in whole parts between dots or slashes, and
    so are parts that are numbers, which files give to submissions, and an end like ``-primary``. A
    number or an end stays where two systems would become equal without it.

    >>> short_names(["news.online-A.0.fr-en", "news.uedin.2755.fr-en", "news.uedin.2828.fr-en"])
    ... # doctest: +NORMALIZE_WHITESPACE
    {'news.online-A.0.fr-en': 'online-A',
     'news.uedin.2755.fr-en': 'uedin.2755',
     'news.uedin.2828.fr-en': 'uedin.2828'}
    """
    unique = list(dict.fromkeys(systems))
    if any(len(name) > LONGEST for name in unique):
        return dict(zip(unique, unique, strict=True))
    distinct = _without_common_ends(unique)
    named = {name: _without_numbers(distinct[name]) for name in unique}
    short = {name: _KIND.sub("", part) or part for name, part in named.items()}
    for longer in (named, distinct, dict(zip(unique, unique, strict=True))):
        while equal := _equal_but_for(short, longer):
            short.update((name, longer[name]) for name in equal)
    return short


def _equal_but_for(short: Mapping[str, str], longer: Mapping[str, str]) -> list[str]:
    """Return the systems whose short names are not theirs alone and can be longer."""
    taken = Counter(short.values())
    return [name for name in short if taken[short[name]] > 1 and short[name] != longer[name]]


def middle_cut(name: str, width: int, beside: Sequence[str] = ()) -> str:
    """Cut a name in the middle to at most ``width`` characters.

    Of those that begin like one ``beside`` it, the common beginning is cut.

    >>> middle_cut("uedin-heafield-unconstrained", 13)
    'uedin-…rained'
    >>> middle_cut("tuning-task-dense", 12, ["tuning-task-dcu", "jhu"])
    '…dense'
    """
    if len(name) <= width:
        return name
    alike = [one for one in beside if one != name and one[: width // 2] == name[: width // 2]]
    if alike:
        same = takewhile(lambda letters: len({*letters}) == 1, zip(name, *alike, strict=False))
        common = "".join(letters[0] for letters in same)
        whole = re.sub(r"[^-_./ ]*$", "", common) or common
        return middle_cut(ELLIPSIS + name[len(whole) :], width)
    kept = max(width - len(ELLIPSIS), 0)
    tail = kept // 2
    return name[: kept - tail] + ELLIPSIS + name[len(name) - tail :]


def _without_common_ends(names: Sequence[str]) -> dict[str, str]:
    """Leave out the parts that all names begin with and end with; each keeps at least one."""
    parts = [_SEPARATOR.split(name) for name in names]
    if len(names) < 2:
        return dict(zip(names, names, strict=True))
    spare = min(len(p) for p in parts) - 1
    n_first = _n_common(parts, spare)
    n_last = _n_common([p[::-1] for p in parts], spare - n_first)
    short = [_slice(name, n_first, len(p) - n_last) for name, p in zip(names, parts, strict=True)]
    return dict(zip(names, short if all(short) else names, strict=True))


def _n_common(parts: Sequence[Sequence[str]], most: int) -> int:
    """Count the leading parts that are the same everywhere, up to ``most``."""
    n = 0
    while n < most and len({p[n] for p in parts}) == 1:
        n += 1
    return n


def _slice(name: str, first: int, end: int) -> str:
    """Return the parts ``first`` to ``end`` of a name with the separators between them."""
    starts = [0, *(m.end() for m in _SEPARATOR.finditer(name))]
    ends = [*(m.start() for m in _SEPARATOR.finditer(name)), len(name)]
    return name[starts[first] : ends[end - 1]]


def _without_numbers(name: str) -> str:
    """Leave out the parts that are numbers, unless nothing else is there."""
    spans = [m.span() for m in _SEPARATOR.finditer(name)]
    starts, ends = [0, *(e for _, e in spans)], [*(s for s, _ in spans), len(name)]
    words = [name[a:b] for a, b in zip(starts, ends, strict=True)]
    kept = [k for k, word in enumerate(words) if not word.isdecimal()]
    if len(kept) == len(words) or not any(words[k] for k in kept):
        return name
    pieces = [words[kept[0]]]
    pieces += [name[starts[k] - 1] + words[k] for k in kept[1:]]
    return "".join(pieces)


def is_reference(system: str) -> bool:
    """Return whether a name is that of a human reference: ``ref``, ``refB``, ``HUMAN-B``.

    >>> [is_reference(name) for name in ("ref", "Reference-A", "refB", "REFINE", "ref-net")]
    [True, True, True, False, False]
    >>> [is_reference(name) for name in ("HUMAN-B", "Reference-HT", "en-de.human", "superhuman")]
    [True, True, True, False]
    >>> [is_reference(name) for name in ("WebNLG-2020-reference", "T5 without reference")]
    [True, False]
    >>> is_reference("generaltest2022.liv-en.ref.A.en.txt")
    True
    """
    return _REFERENCE.fullmatch(system) is not None
