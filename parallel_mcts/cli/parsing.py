"""The parser of the command line: messages of two lines, suggestions for what was mistyped, and what can be completed.

Only the thread that runs the program uses it. Nothing slow is imported here: `--help` has to be quick.
"""

from __future__ import annotations

import argparse
import re
import sys
from typing import Any, NoReturn

from ..errors import did_you_mean

BAD_INPUT = 2
EXIT_CODES = """exit codes:
  0    done
  1    failed: a game that raised, a worker lost for good, a rule that does not hold
  2    bad input
  130  stopped by Ctrl-C; the answer so far is printed all the same
  141  whoever read the output went away
"""


class _Formatter(argparse.RawDescriptionHelpFormatter):
    """With room for the longest name, so that no entry of the list needs a second line."""

    def __init__(self, prog: str, **options: Any) -> None:
        super().__init__(prog, **{"max_help_position": 26, **options})

    def add_argument(self, action: argparse.Action) -> None:
        super().add_argument(action)
        if isinstance(action, argparse._SubParsersAction):  # argparse forgets how far commands are indented
            self._action_max_length += self._indent_increment


class Parser(argparse.ArgumentParser):
    """Says what is wrong in a line, and how the command is used in another."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("formatter_class", _Formatter)
        kwargs.setdefault("allow_abbrev", False)
        super().__init__(*args, **kwargs)

    def error(self, message: str) -> NoReturn:
        print(f"{self.prog}: {message}{self._suggestion(message)}", file=sys.stderr)
        print(f"usage: {self.prog} {self._form()}; see {self.prog} --help", file=sys.stderr)
        sys.exit(BAD_INPUT)

    def _form(self) -> str:
        """The arguments that have to be given; of commands, that there is one."""
        positional = [a for a in self._actions if not a.option_strings]
        words = [str(a.metavar or a.dest) + (" …" if a.nargs == "+" else "") for a in positional if a.nargs != "?"]
        return " ".join([*words, "[options]"])

    def _suggestion(self, message: str) -> str:
        """What was probably meant by a command or an option that does not exist."""
        wrong = re.search(r"unrecognized arguments: (--[\w-]+)", message)
        if wrong:
            return did_you_mean(wrong[1], options_of(self))
        return ""

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Names the nearest choice, where argparse would only list them all."""
        if action.choices is not None and value not in action.choices:
            hint = did_you_mean(str(value), map(str, action.choices))
            listed = ", ".join(map(str, action.choices))
            what = "command" if isinstance(action, argparse._SubParsersAction) else "/".join(action.option_strings)
            raise argparse.ArgumentError(None, f"unknown {what or action.dest} {str(value)!r}{hint}; choose from: {listed}")

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """A command finds its own unknown options, so that it can say what it knows."""
        found, rest = super().parse_known_args(args, namespace)
        if rest and " " in self.prog:
            self.error(f"unrecognized arguments: {' '.join(rest)}")
        return found, rest


def options_of(parser: argparse.ArgumentParser) -> list[str]:
    """The long options of a command."""
    return sorted(o for action in parser._actions for o in action.option_strings if o.startswith("--"))


def commands_of(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    """The commands of a parser, by name."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            return dict(action.choices)
    return {}


def argument(parser: Any, *names: str, completes: str = "", **options: Any) -> None:
    """Adds an argument that a shell can complete: with the names of a registry ("game"), files ("file"), or words."""
    action = parser.add_argument(*names, **options)
    action.completes = completes
