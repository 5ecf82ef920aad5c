"""Completion in a shell: ``eval "$(podium completion bash)"`` in its settings."""

from __future__ import annotations

from analysis.cli import help as recorded
from analysis.cli.commands import listed
from analysis.errors import PodiumError

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


def answer(words: list[str]) -> None:
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
        return [f"{SAMPLE}:{name}" for name in recorded.names("samples")]
    if [SAMPLE, ":"] in (words[-2:], words[-3:-1]):  # bash splits at a colon
        return [*recorded.names("samples")]
    length = 2 if before[:1] == ["research"] else 1
    name = " ".join(before[:length])
    if name not in known:
        start = f"{name} " if name else ""
        found = [one[len(start) :] for one in known if one.startswith(start)]
        return sorted({one.partition(" ")[0] for one in found})
    parser = recorded.recorded_parser(known[name], before)
    for action in parser._actions:
        if before[-1] in action.option_strings and action.nargs != 0:
            named = recorded.names("methods") if action.dest in ("method", "methods") else ()
            begun = words[-1].rpartition(",")
            listed_before = "".join(begun[:2]) if action.dest == "methods" else ""
            return [f"{listed_before}{choice}" for choice in action.choices or named]
    return [*parser.flags()]
