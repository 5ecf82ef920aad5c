"""Language pairs in whatever spelling a file uses: ces, cze, cs and Czech are one."""

from __future__ import annotations

import re

_SPELLINGS = """
    ces cze cs czech
    deu ger de german
    eng en english
    est et estonian
    fin fi finnish
    fra fre fr french
    guj gu gujarati
    hau ha hausa
    heb he hebrew
    hin hi hindi
    hrv hr croatian
    hun hu hungarian
    isl ice is icelandic
    ita it italian
    jpn ja japanese
    kaz kk kazakh
    khm km khmer
    kor ko korean
    lav lv latvian
    lit lt lithuanian
    nld dut nl dutch
    pol pl polish
    por pt portuguese
    pus ps pashto
    ron rum ro romanian
    rus ru russian
    spa es spanish
    swe sv swedish
    tam ta tamil
    tur tr turkish
    ukr uk ukrainian
    zho chi zh chinese
"""
_CODES = {
    spelling: spellings.split()[0]
    for spellings in _SPELLINGS.strip().splitlines()
    for spelling in spellings.split()
}


def language_code(spelling: str) -> str:
    """Return one code for all spellings of a language; an unknown one stands for itself.

    >>> language_code("cze") == language_code("Czech") == language_code("ces")
    True
    """
    key = spelling.strip().casefold()
    return _CODES.get(key, key)


def names_two_languages(pair: str) -> bool:
    """Return whether a pair has a source and a target.

    >>> names_two_languages("de–en"), names_two_languages("en"), names_two_languages("all")
    (True, False, False)
    """
    return len(pair_key(pair).split("-")) == 2


def is_language(spelling: str) -> bool:
    """Return whether this is a spelling of a language that is known here.

    >>> is_language("de"), is_language("seg")
    (True, False)
    """
    return spelling.strip().casefold() in _CODES


def pair_key(pair: str) -> str:
    """Return the key under which two spellings of a language pair are equal.

    >>> pair_key("French-English") == pair_key("fre-eng") == pair_key("fr–en")
    True
    """
    return "-".join(language_code(end) for end in re.split(r"[-–—→/]", pair))
