"""Language pairs, in the spelling of a file or in words: ces, cze, cs and Czech are one."""

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
_LANGUAGES = [spellings.split() for spellings in _SPELLINGS.strip().splitlines()]
_CODES = {spelling: code for code, *others in _LANGUAGES for spelling in (code, *others)}
_NAMES = {code: name.capitalize() for code, *_, name in _LANGUAGES}

NO_PAIR = "all"
"""The language pair of a campaign that has none."""


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


def language_pair(pair: str) -> str:
    """Write a language pair in words where both languages are known.

    >>> [language_pair("ces-eng"), language_pair("en–de"), language_pair("models")]
    ['Czech → English', 'English → German', 'models']
    """
    names = [_NAMES.get(code) for code in pair_key(pair).split("-")]
    if len(names) != 2 or None in names:
        return pair
    return " → ".join(name for name in names if name)


def about(*parts: str, between: str = " · ") -> str:
    """Join what an export is about, as title, language pair, method; leave out what is missing.

    >>> about("", NO_PAIR, "Elo"), about("WMT14", "cs-en", "Elo", between=", ")
    ('Elo', 'WMT14, Czech → English, Elo')
    """
    return between.join(language_pair(part) for part in parts if part not in ("", NO_PAIR))
