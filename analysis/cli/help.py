"""Help and completion without waiting: what the commands take is recorded in ``help.json``.

To declare a command's flags, methods, formats and samples are imported, which takes a second. So
the flags are recorded, and a test keeps the record true; ``python -m analysis.cli.help`` writes it.
"""

from __future__ import annotations

import argparse
import json
import shutil
import textwrap
from functools import cache
from itertools import groupby, pairwise
from pathlib import Path
from typing import Any

from analysis.cli.commands import commands, families, listed
from analysis.cli.parser import CommandParser, parser_of
from analysis.errors import PodiumError
from analysis.registry import Command, extra_names

RECORD = Path(__file__).with_name("help.json")
OF_METHOD = "hyperparameters"
"""How the titles of groups begin that depend on the method."""

SHARED = ("reading", "selection")
"""Titles of the groups that most commands have, whose options are only named in help."""


def overview(group: str = "") -> str:
    """Return the list of all commands, or of one group."""
    width = shutil.get_terminal_size((100, 24)).columns
    start = "Start with podium rank sample:wmt14-cs-en, or with podium dashboard."
    shown = [one for one in listed().values() if group in ("", one.group.casefold())]
    if group:
        start = f"Start with podium {shown[0].examples[0]}."
    words = f"{group} COMMAND" if group else "COMMAND"
    lines = [f"usage: podium {words} FILE … [options]", start, ""]
    for heading, of_group in groupby(shown, lambda one: one.group):
        lines.append(heading)
        for one in of_group:
            lines += textwrap.wrap(
                one.help, width, initial_indent=f"  {one.name:<20} ", subsequent_indent=" " * 23
            )
        lines.append("")
    lines += [
        "FILE is a path, - for standard input, or sample:NAME for a sample campaign.",
        f"podium {words} --help explains a command.",
    ]
    if not group:
        lines += [
            "podium --version prints the version.",
            "podium completion bash (or zsh, fish) prints the completion script of a shell.",
        ]
    return "\n".join(lines) + "\n"


def help_text(command: Command, words: list[str]) -> str:
    """Return a command's help, with the hyperparameters of the method that the words name."""
    record = _record()
    is_recorded = record["extras"] == extra_names() and command.name in record["commands"]
    parser = (recorded_parser if is_recorded else parser_of)(command, words)
    if "--wide" not in words:
        _name_only(parser)
    elif is_recorded and record["commands"][command.name]["methods"]:
        lines = [f"{name:<25} {said}" for name, said in names("methods").items()]
        width = shutil.get_terminal_size((100, 24)).columns - 4
        folded = [textwrap.fill(line, width, subsequent_indent=" " * 26) for line in lines]
        parser.add_argument_group("methods", "\n".join(folded))
    return parser.format_help()


def names(what: str) -> dict[str, str]:
    """Return the recorded names of methods or samples, each with what it is."""
    found: dict[str, str] = _record()[what]
    return found


def _name_only(parser: CommandParser) -> None:
    """Leave the names of the options that most commands share; explain them if asked to."""
    width = shutil.get_terminal_size((100, 24)).columns - 4
    for group in parser._action_groups:
        if group.title in SHARED:
            names = ", ".join(action.option_strings[0] for action in group._group_actions)
            words = f"{group.description} Explained by: {parser.prog} --help --wide"
            lines = [words, *textwrap.wrap(names, width, break_on_hyphens=False)]
            group.description = "\n".join(lines)
            for action in group._group_actions:
                action.help = argparse.SUPPRESS


def recorded_parser(command: Command, words: list[str]) -> CommandParser:
    """Return a parser that has the recorded flags: enough for help and completion."""
    record = _record()
    entry = record["commands"][command.name]
    named = next((b for a, b in pairwise(words) if a == "--method"), "")
    named = named or next((w[9:] for w in words if w.startswith("--method=")), "")
    parser = CommandParser(command)
    groups = [*entry["groups"], *entry["methods"].get(named.replace("_", "-"), entry["usual"])]
    for k in groups:
        group = record["groups"][k]
        place: Any = parser
        if group["title"] not in ("files", "options"):
            place = parser.add_argument_group(group["title"], group["description"])
        for action in group["actions"]:
            place.add_argument(*action["names"], **action["form"])
    parser.name_what_it_takes()
    return parser


@cache
def _record() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(RECORD.read_text(encoding="utf-8"))
    return found


def make_record() -> dict[str, Any]:
    """Return what all commands take, each group of flags once."""
    from analysis.rankers import RANKERS
    from analysis.samples import EVERY_SAMPLE

    kept: list[dict[str, Any]] = []

    def place_of(group: dict[str, Any]) -> int:
        if group not in kept:
            kept.append(group)
        return kept.index(group)

    entries = {}
    for name, command in commands().items():
        groups = _groups(parser_of(command, []))
        methods: dict[str, list[int]] = {}
        if any("--method" in action["names"] for g in groups for action in g["actions"]):
            for method in RANKERS:
                chosen = _groups(parser_of(command, ["--method", method]))
                methods[method] = [place_of(g) for g in chosen if _of_method(g)]
        entries[name] = {
            "groups": [place_of(g) for g in groups if not _of_method(g)],
            "usual": [place_of(g) for g in groups if _of_method(g)],
            "methods": methods,
        }
    return {
        "extras": extra_names(),
        "methods": {name: ranker.sentence for name, ranker in RANKERS.items()},
        "samples": {name: sample.title for name, sample in EVERY_SAMPLE.items()},
        "groups": kept,
        "commands": entries,
    }


def _of_method(group: dict[str, Any]) -> bool:
    return str(group["title"]).startswith(OF_METHOD)


def _groups(parser: argparse.ArgumentParser) -> list[dict[str, Any]]:
    formatter = parser._get_formatter()
    found = []
    for group in parser._action_groups:
        actions = []
        for action in group._group_actions:
            if action.help is argparse.SUPPRESS or isinstance(action, argparse._HelpAction):
                continue
            form: dict[str, Any] = {"help": formatter._expand_help(action).replace("%", "%%")}
            if action.nargs == 0:
                form["action"] = "store_true"
            else:
                form |= {"metavar": action.metavar, "nargs": action.nargs}
                form["choices"] = None if action.choices is None else [*action.choices]
            if action.option_strings:
                form |= {"required": action.required, "dest": action.dest}
            actions.append({"names": [*action.option_strings] or [action.dest], "form": form})
        title, description = group.title, group.description
        if actions or description:
            found.append({"title": title, "description": description, "actions": actions})
    return found


def write_record() -> None:
    """Write the record, a group of flags per line."""
    from analysis.cli.output import write_whole

    record = make_record()
    parts = [
        *(f'"{name}": {_json(record[name])}' for name in ("extras", "methods", "samples")),
        '"groups": [\n' + ",\n".join(map(_json, record["groups"])) + "\n]",
        '"commands": {\n'
        + ",\n".join(f"{_json(name)}: {_json(one)}" for name, one in record["commands"].items())
        + "\n}",
    ]
    write_whole(RECORD, ("{" + ",\n".join(parts) + "}\n").encode())


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


BASH = """_podium() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen -W "$(podium --complete "${COMP_WORDS[@]:1:COMP_CWORD}")" \\
    -- "${COMP_WORDS[COMP_CWORD]#:}"))
}
complete -o default -F _podium podium
"""
SAMPLE = "sample"
"""What the names of samples begin with, before a colon."""
SHELLS = {
    "bash": BASH,
    "zsh": "autoload -U +X bashcompinit && bashcompinit\n" + BASH,
    "fish": "complete -c podium -a '(podium --complete (commandline -opc)[2..] (commandline -ct))'"
    "\n",
}
"""What each shell needs in its settings: ``eval "$(podium completion bash)"``."""


def complete(words: list[str]) -> None:
    """Print what a shell needs once, or what may follow the words typed so far."""
    if words[0] == "--complete":
        print("\n".join(what_may_follow(words[1:])))
        return
    if words[1:] and words[1] in SHELLS:
        print(SHELLS[words[1]], end="")
        return
    raise PodiumError("completion", "name a shell", f"Choose one of {', '.join(SHELLS)}.")


def what_may_follow(words: list[str]) -> list[str]:
    """Return what can complete the last word: a command, a flag, its value, or a sample."""
    known, before = listed(), words[:-1]
    if words[-1].startswith(f"{SAMPLE}:"):
        return [f"{SAMPLE}:{name}" for name in names("samples")]
    if [SAMPLE, ":"] in (words[-2:], words[-3:-1]):  # bash splits at a colon
        return [*names("samples")]
    length = 2 if {*before[:1]} & families() else 1
    name = " ".join(before[:length])
    if name not in known:
        start = f"{name} " if name else ""
        found = [one[len(start) :] for one in known if one.startswith(start)]
        return sorted({one.partition(" ")[0] for one in found})
    parser = recorded_parser(known[name], before)
    for action in parser._actions:
        if before[-1] in action.option_strings and action.nargs != 0:
            named = names("methods") if action.dest in ("method", "methods") else ()
            begun = words[-1].rpartition(",")
            listed_before = "".join(begun[:2]) if action.dest == "methods" else ""
            return [f"{listed_before}{choice}" for choice in action.choices or named]
    return [*parser.flags()]


if __name__ == "__main__":
    write_record()
