"""Which systems are human references, by their names."""

from __future__ import annotations

import re

_WHICH = r"[A-Ea-e]|\d{1,2}|std|orig|alt|human|ht|pe|[Hh]uman|HUMAN|HT|PE"
_NAMED = rf"(?:ref|REF|Ref)(?:erence|ERENCE)?s?(?:[-_. ]?(?:[A-E]|\d{{1,2}})|[-_. ](?:{_WHICH}))?"
_HUMAN = r"(?:.*[-_. ])?(?:human|HUMAN|Human)(?:[-_. ]?(?:[A-Z]|\d{1,2})|[-_. ][a-z])?"
_TEST_SET = r"(?:\w*test\d{2,4}|wmt\d{2,4})"
_REFERENCE = re.compile(
    rf"{_NAMED}|{_HUMAN}|{_TEST_SET}(?:[./].*)?[./]{_NAMED}(?:[./].*)?"
    rf"|{_TEST_SET}-[a-z]{{2,3}}-?[a-z]{{2,3}}-{_NAMED}(?:[./].*)?"
)
"""A name that is *reference* with a letter, a number or who made it, one that ends in *human*, or
one with such a part in a test set's file name. A system such as ``REFINE``, ``ref-net`` or
``REF-F`` (references have the letters A to E) is none."""


def is_reference(system: str) -> bool:
    """Return whether a name is that of a human reference: ``ref``, ``refB``, ``HUMAN-B``.

    >>> [is_reference(name) for name in ("ref", "Reference-A", "refB", "REFINE", "ref-net")]
    [True, True, True, False, False]
    >>> [is_reference(name) for name in ("HUMAN-B", "Reference-HT", "en-de.human", "superhuman")]
    [True, True, True, False]
    >>> is_reference("generaltest2022.liv-en.ref.A.en.txt")
    True
    """
    return _REFERENCE.fullmatch(system) is not None
