"""`parallel-mcts completion SHELL`: prints a script that completes commands, options and names, made from the parser.

The script holds everything it needs, so that completing a word starts no Python.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from .parsing import commands_of

SHELLS = ("bash", "zsh", "fish")
EXAMPLES = """examples:
  bash   parallel-mcts completion bash > ~/.local/share/bash-completion/completions/parallel-mcts
  zsh    parallel-mcts completion zsh > ~/.zfunc/_parallel-mcts       (with ~/.zfunc in fpath)
  fish   parallel-mcts completion fish > ~/.config/fish/completions/parallel-mcts.fish
"""


def add_to(commands: Any) -> None:
    """Declares the command."""
    parser = commands.add_parser(
        "completion",
        help="print a script that completes commands in a shell",
        description="Prints a script that completes commands, options and names.",
        epilog=EXAMPLES,
    )
    parser.add_argument("shell", choices=SHELLS, help="bash, zsh or fish")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Prints the script."""
    from . import build_parser

    makers: dict[str, Callable[[list[Command]], str]] = {"bash": bash, "zsh": zsh, "fish": fish}
    print(makers[options.shell](described(build_parser())))
    return 0


class Option(NamedTuple):
    """An option: its names, its help, and the words that may follow it (None: it takes none, FILES: a file)."""

    names: list[str]
    about: str
    words: list[str] | None


class Command(NamedTuple):
    """A command: what it does, its options, and the words that may stand where no option does."""

    name: str
    about: str
    options: list[Option]
    words: list[str]


FILES = ["<file>"]


def described(parser: argparse.ArgumentParser) -> list[Command]:
    """Everything that can be completed."""
    helps = {a.dest: a.help or "" for p in parser._actions if p.nargs == "A..." for a in p._get_subactions()}  # type: ignore[attr-defined]
    return [_command(name, helps.get(name, ""), each) for name, each in commands_of(parser).items()]


def _command(name: str, about: str, parser: argparse.ArgumentParser) -> Command:
    shown = [a for a in parser._actions if a.help != argparse.SUPPRESS]
    options = [
        Option(list(a.option_strings), _plain(a.help or ""), None if a.nargs == 0 else _words(a))
        for a in shown
        if a.option_strings
    ]
    words = dict.fromkeys(word for a in shown if not a.option_strings for word in _words(a))
    return Command(name, _plain(about), options, list(words))


def _words(action: argparse.Action) -> list[str]:
    if action.choices is not None:
        return [str(choice) for choice in action.choices]
    kind = getattr(action, "completes", "")
    if kind == "file":
        return list(FILES)
    from .. import registry

    known = getattr(registry, f"{kind.upper()}S", None)
    return kind.split() if known is None else list(known.names())


def _plain(text: str) -> str:
    """A help text without what would mean something to a shell."""
    return text.replace("%%", "%").replace("'", "’").replace("[", "(").replace("]", ")").replace(":", " -")


# ---------------------------------------------------------------------------------------------- bash
def bash(commands: list[Command]) -> str:
    """Cases by command, and in each by the option before the word."""
    cases = "\n".join(_bash_case(command) for command in commands)
    return f"""# bash completion for parallel-mcts
_parallel_mcts() {{
    local word="${{COMP_WORDS[COMP_CWORD]}}" before="${{COMP_WORDS[COMP_CWORD-1]}}" command="${{COMP_WORDS[1]}}" words=""
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        COMPREPLY=($(compgen -W "{" ".join(c.name for c in commands)} --help --version --debug" -- "$word"))
        return
    fi
    case "$command" in
{cases}
    esac
    if [ "$words" = "{FILES[0]}" ]; then
        COMPREPLY=($(compgen -f -- "$word"))
    else
        COMPREPLY=($(compgen -W "$words" -- "$word"))
    fi
}}
complete -o bashdefault -o default -F _parallel_mcts parallel-mcts"""


def _bash_case(command: Command) -> str:
    free = [name for option in command.options if option.words == [] for name in option.names]
    lines = [f"    {command.name})", '        case "$before" in']
    lines += [f'            {"|".join(o.names)}) words="{" ".join(o.words)}" ;;' for o in command.options if o.words]
    lines += [f'            {"|".join(free)}) words="" ;;'] if free else []
    every = " ".join([*(name for option in command.options for name in option.names), *command.words])
    return "\n".join([*lines, f'            *) words="{every}" ;;', "        esac ;;"])


# ---------------------------------------------------------------------------------------------- zsh
def zsh(commands: list[Command]) -> str:
    """The arguments of each command, with their help."""
    listed = "\n".join(f"        '{c.name}:{c.about}'" for c in commands)
    cases = "\n".join(_zsh_case(command) for command in commands)
    return f"""#compdef parallel-mcts
_parallel_mcts() {{
    local -a commands
    commands=(
{listed}
    )
    if (( CURRENT == 2 )); then
        _describe -t commands 'command' commands
        return
    fi
    local command=$words[2]
    shift words
    (( CURRENT-- ))
    case $command in
{cases}
    esac
}}
if [ "$funcstack[1]" = "_parallel-mcts" ]; then _parallel_mcts "$@"; else compdef _parallel_mcts parallel-mcts; fi"""


def _zsh_case(command: Command) -> str:
    lines = [f"    {command.name})", "        _arguments \\"]
    for option in command.options:
        lines += [f"            '{name}[{option.about}]{_zsh_words(option.words)}' \\" for name in option.names]
    return "\n".join([*lines, f"            '*:argument:{_zsh_action(command.words)}'", "        ;;"])


def _zsh_words(words: list[str] | None) -> str:
    return "" if words is None else f":value:{_zsh_action(words)}"


def _zsh_action(words: list[str]) -> str:
    return "_files" if words in (FILES, []) else f"({' '.join(words)})"


# ---------------------------------------------------------------------------------------------- fish
def fish(commands: list[Command]) -> str:
    """A line for each thing that can be completed."""
    lines = ["# fish completion for parallel-mcts", "complete -c parallel-mcts -f"]
    for command in commands:
        lines.append(f"complete -c parallel-mcts -n __fish_use_subcommand -a {command.name} -d '{command.about}'")
        lines += list(_fish_lines(command))
    return "\n".join(lines)


def _fish_lines(command: Command) -> Iterator[str]:
    seen = f"complete -c parallel-mcts -n '__fish_seen_subcommand_from {command.name}'"
    if command.words and command.words != FILES:
        yield f"{seen} -F -a '{' '.join(command.words)}'"
    for option in command.options:
        names = " ".join(f"-l {n[2:]}" if n.startswith("--") else f"-s {n[1:]}" for n in option.names)
        follows = (
            "" if option.words is None else " -r -F" if option.words == FILES else f" -x -a '{' '.join(option.words)}'"
        )
        yield f"{seen} {names}{follows} -d '{option.about}'"
