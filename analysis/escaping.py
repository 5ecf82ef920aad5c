"""What text from data becomes in each format: one function per format, and no other place escapes.

A name is text everywhere: never markup, a formula, a command, a path or a direction of writing.
"""

from __future__ import annotations

import html
import re
import unicodedata

_STEERING = re.compile(
    "[\\x00-\\x1f\\x7f-\\x9f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069\\ud800-\\udfff"
    "\\ufffe\\uffff]"
)
_UNWRITABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufffe\uffff\ud800-\udfff]")
"""Characters that XML forbids or that nothing shows."""

GREEK = {
    "α": "alpha", "β": "beta", "ε": "varepsilon", "θ": "theta", "κ": "kappa", "Λ": "Lambda",
    "μ": "mu", "σ": "sigma", "τ": "tau",
}  # fmt: skip
"""LaTeX's names of the Greek letters that stand in the papers' symbols."""

_LATEX = str.maketrans(
    {
        **{letter: rf"$\{name}$" for letter, name in GREEK.items()},
        "\\": r"\textbackslash{}",
        "&": r"\&",
        "%": r"\%",
        "$": r"\$",
        "#": r"\#",
        "_": r"\_",
        "{": r"\{",
        "}": r"\}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
        "†": r"$\dagger$",
        "‡": r"$\ddagger$",
        "⋆": r"$\star$",
        "∗": r"$\ast$",
        "–": "--",
        "−": "$-$",
        "→": r"$\to$",
        "·": r"$\cdot$",
        "≤": r"$\leq$",
        "≥": r"$\geq$",
        "…": r"\dots{}",
        "\n": " ",
        "\r": " ",
        "\t": " ",
        "\0": "{}",
        "\ufffd": "?",
    }
)
_LIGATURE = re.compile(r"-(?=-)|[?!](?=`)|`(?=`)|'(?=')|,(?=,)")
_TYPST = re.compile(r"[\\#$*_`<>@~\[\]/\"'=+\-.]|(?<=\d)(?=[.)])")
_MARKDOWN = re.compile(r"([\\`*_{}\[\]()<>#+\-.!|~$:&])")
JOINER = "\N{WORD JOINER}"
_FOUND_LATER = re.compile(
    r"(?<=:)(?=[\w/+-]+:)|(?<=[a-z]:)(?=//)|(?<=www)(?=\.)|(?<=@)(?=\w)", re.IGNORECASE
)
"""Places in ``:material/home:``, ``:smile:``, ``https://``, ``www.`` and ``a@b``."""
_XML_SPACE = str.maketrans({"\n": "&#10;", "\r": "&#13;", "\t": "&#9;"})
_FORMULA = re.compile(r"(\A|[;\r\n\t])(?=[=+\-@\t\r＝＋－＠])")


def printable(text: str, keep: str = "\n\t") -> str:
    """Return text for a terminal: nothing in it steers it or turns the direction of writing.

    Each such character becomes a question mark in a diamond, except those in ``keep``.

    >>> printable("a\x1b[2Jb\u202ec")
    'a�[2Jb�c'
    """
    return _STEERING.sub(lambda found: found[0] if found[0] in keep else "\ufffd", text)


def as_html(text: str) -> str:
    """Escape text for HTML, SVG, and Plotly, which renders some tags.

    Plotly knows a quotation mark by its number only. Characters that XML forbids are removed.

    >>> as_html('<b>A & "B"'), as_html("a\\x1b\\uffffb")
    ('&lt;b&gt;A &amp; &#34;B&#34;', 'ab')
    """
    return html.escape(_UNWRITABLE.sub("", text), quote=True).replace("&quot;", "&#34;")


def as_attribute(text: str) -> str:
    """Write text as the value of an attribute of XML, from which it is read back as it is.

    >>> print(as_attribute("a & <b>"))
    "a &amp; &lt;b&gt;"
    """
    return f'"{html.escape(text).translate(_XML_SPACE)}"'


def as_latex(text: str) -> str:
    r"""Escape text for LaTeX; no two characters become one sign.

    >>> as_latex("a_b & 50%")
    'a\\_b \\& 50\\%'
    """
    return printable(_LIGATURE.sub("\\g<0>\0", text), keep="\n\r\t\0").translate(_LATEX)


def as_typst(text: str) -> str:
    r"""Escape text for Typst.

    >>> as_typst("a_b #1 *x*")
    'a\\_b \\#1 \\*x\\*'
    """
    shown = printable(text, keep="").replace("\ufffd", "?")
    return _TYPST.sub(lambda found: "\\" + found[0] if found[0] else "", shown)


def as_markdown(text: str) -> str:
    r"""Escape text for Markdown.

    Icons, emojis and bare addresses are looked for after escapes are gone, so a joiner without
    width breaks them.

    >>> as_markdown("a_b $x$"), as_markdown(":smile: http://b").count(JOINER)
    ('a\\_b \\$x\\$', 2)
    """
    shown = _FOUND_LATER.sub(JOINER, printable(text).replace("\n", " "))
    return _MARKDOWN.sub(r"\\\1", shown)


def as_cell(text: str) -> str:
    """Put an apostrophe before what a spreadsheet would take for a formula in a CSV file.

    Some spreadsheets part cells at a semicolon, and some read full-width signs as plain ones.

    >>> [as_cell(text) for text in ("=1+1", "a;=1+1", "＝1", "a-b")]
    ["'=1+1", "a;'=1+1", "'＝1", 'a-b']
    """
    return _FORMULA.sub(r"\1'", text)


def as_label(text: str) -> str:
    """Write text as a label that LaTeX and Typst take.

    >>> as_label("ranking-fr→en_{x}")
    'ranking-fr-en-x'
    """
    return re.sub(r"[^A-Za-z0-9]+", "-", text).strip("-")


def as_file_name(text: str, most: int = 40) -> str:
    """Write text as a part of a file's name that any system takes.

    >>> as_file_name("WMT14 fr–en (simulated)"), as_file_name("../../Čapek: a|b")
    ('WMT14-fr-en-simulated', 'Capek-a-b')
    """
    plain = unicodedata.normalize("NFKD", text.replace("–", "-")).encode("ascii", "ignore").decode()
    return re.sub(r"[^A-Za-z0-9_.]+", "-", plain).strip("-.")[:most].rstrip("-.")
