"""Makes every figure and table of the README anew, by one command: `python scripts/make_figures.py [PART …]`.

A part runs one command of `parallel-mcts bench`, keeps its JSON with date, machine and command in `scripts/figures/`, draws
the plots beside it, and writes its table into README.md between `<!-- figures: PART -->` and `<!-- end -->`. With `--kept`
nothing is measured: plots and tables are made from the JSON that is there.
"""

from __future__ import annotations

import argparse
import json
import re
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
FIGURES = ROOT / "scripts" / "figures"
README = ROOT / "README.md"
SHOWN = (10, 100, 1000, 10_000)
"""Numbers of workers that the README shows of a simulation."""


@dataclass(frozen=True)
class Part:
    """A part of the README: the command that measures it, and what is made of its JSON."""

    command: tuple[str, ...]
    table: Callable[[dict[str, Any]], str] | None = None
    """Markdown."""
    draw: Callable[[str, dict[str, Any]], object] | None = None
    """Draws BASE.png and BASE.svg."""


# ---------------------------------------------------------------------------------------------- the parts
def simulated_table(told: dict[str, Any]) -> str:
    """How far to believe the model, and what it says of many workers."""
    checks = [
        [c["backend"], c["workers"], f"{c['measured_rate']:,.0f}", f"{c['predicted_rate']:,.0f}", f"{c['ratio']:.2f}"]
        for c in told["checks"]
    ]
    rows = [
        [p["way"], f"{p['workers']:,}", f"{p['rate']:,.0f}", f"{p['speed_up']:,.1f}", f"{p['seconds']:.2f} s", _error(p)]
        for p in told["predictions"]
        if p["workers"] in SHOWN
    ]
    here = f"Measured and predicted on this machine, {told['iterations']:,} playouts a worker:"
    beyond = f"Predicted for a search of {told['search_seconds']:g} s, each worker on a processor of its own:"
    return "\n\n".join(
        [
            here,
            markdown(("backend", "workers", "playouts/s", "predicted", "predicted ÷ measured"), checks),
            beyond,
            markdown(("", "workers", "playouts/s", "speed-up", "answer after", told["measure"]), rows),
        ]
    )


def _error(prediction: dict[str, Any]) -> str:
    if prediction["error"] is None:
        return "–"
    return ("~" if prediction["guessed"] else "") + f"{prediction['error']:.2g}"


def draw_simulated(base: str, told: dict[str, Any]) -> None:
    from parallel_mcts.bench.simulation import SimulationReport
    from parallel_mcts.bench.simulation.plots import write_plots

    write_plots(base, SimulationReport.from_dict(told))


def scaling_table(told: dict[str, Any]) -> str:
    """The shared budget, and the answers at equal time."""
    strong = [cell for cell in told["cells"] if cell["mode"] == "strong"]
    rows = [
        [
            f"{cell['backend']} × {cell['workers']}" + (" *" if cell["oversubscribed"] else ""),
            f"{cell['rate']:,.0f}",
            f"{cell['speed_up']:.2f} ×",
            f"{cell['efficiency']:.0%}",
            f"{cell['start_up'] * 1000:.0f} ms",
            "–" if cell["memory_per_node"] is None else f"{cell['memory_per_node']:.0f}",
            _answers(cell["quality"]),
            f"{cell['foreign_load']:.0%}",
        ]
        for cell in strong
    ]
    what = told["measure"] or "quality"
    heads = ("", "iterations/s", "speed-up", "efficiency", "start-up", "bytes a node", what, "load")
    star = "\n\n\\* more workers than processors" if any(cell["oversubscribed"] for cell in strong) else ""
    return markdown(heads, rows) + star


def _answers(quality: dict[str, Any] | None) -> str:
    if quality is None or quality["value"] is None:
        return "–"
    return f"{quality['value']:.2g} ({quality['low']:.2g} to {quality['high']:.2g})"


def draw_scaling(base: str, told: dict[str, Any]) -> None:
    from parallel_mcts.bench.scaling import ScalingReport, write_plots

    write_plots(ScalingReport.from_dict(told), base)


def speed_table(told: dict[str, Any]) -> str:
    """Iterations per second, and in brackets how many times as fast the compiled engine is."""
    compiled = next(iter(told["speed"][0]["ratios"]))
    cells = {
        (row["candidate"], row["game"]): f"{row['rate']:,.0f} ({row['ratios'][compiled]:.3g} ×)" for row in told["speed"]
    }
    return crossed("iterations/s", cells) + "\n\n" + loads(told["speed"])


def strength_table(told: dict[str, Any]) -> str:
    """Games won, drawn and lost, and the score, by opponent and game."""
    cells = {}
    for row in told["strength"]:
        ours = "the engine `gomoku`" if row["algorithm"] == "gomoku" else "mcts"
        games = f"{row['wins']}–{row['draws']}–{row['losses']}: {row['score']:.0%}"
        cells[f"{ours} against {row['peer']}", row["game"]] = row["trouble"] or games
    return crossed("won–drawn–lost: score", cells) + "\n\n" + loads(told["strength"])


def exploitability_table(told: dict[str, Any]) -> str:
    """What the strategies at the root still give away, by search, game and time."""
    cells = {
        (row["candidate"], f"{row['game']}, {row['seconds']:g} s"): f"{row['mean']:.5f}" for row in told["exploitability"]
    }
    return crossed("exploitability", cells) + "\n\n" + loads(told["exploitability"])


def crossed(corner: str, cells: dict[tuple[str, str], str]) -> str:
    """A table of cells by row and column, both in the order in which they come."""
    rows, columns = (list(dict.fromkeys(key[k] for key in cells)) for k in (0, 1))
    return markdown((corner, *columns), [[row, *(cells.get((row, column), "") for column in columns)] for row in rows])


def loads(rows: Sequence[dict[str, Any]]) -> str:
    """What other programs took meanwhile."""
    taken = [row["foreign_load"] for row in rows]
    return f"Other programs used {min(taken):.0%} to {max(taken):.0%} of the processors meanwhile."


PARTS = {
    "scaling": Part(
        ("bench", "scaling", "goofspiel:cards=5", "--mode", "strong", "--quality-seconds", "0.2", "--seed", "1"),
        scaling_table,
        draw_scaling,
    ),
    "speed": Part(("bench", "peers", "speed", "--rounds", "3"), speed_table),
    "strength": Part(
        ("bench", "peers", "strength", "--against", "open_spiel_cpp", "--games", "24", "--seed", "2"), strength_table
    ),
    "others": Part(
        (
            *("bench", "peers", "strength", "--games", "4", "--seed", "3", "--against"),
            "open_spiel_python,multimcts,monte_carlo_tree_search,mctspy,mcts_simple",
        ),
        strength_table,
    ),
    "exploitability": Part(("bench", "peers", "exploitability", "--seeds", "3"), exploitability_table),
    "simulate": Part(("bench", "simulate", "goofspiel:cards=5", "--seed", "1"), simulated_table, draw_simulated),
}


# ---------------------------------------------------------------------------------------------- measuring
def measured(part: Part, run: Callable[..., object] = subprocess.run) -> dict[str, Any]:
    """Runs the command; its JSON with date, machine and command."""
    from parallel_mcts.bench.measuring import machine

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "figures.json"
        command = [sys.executable, "-m", "parallel_mcts", *part.command, "--json", str(path)]
        run(command, check=True, cwd=ROOT)
        figures = json.loads(path.read_text(encoding="utf-8"))
    words = shlex.join(["parallel-mcts", *part.command])
    return {"date": time.strftime("%Y-%m-%d"), "machine": machine(), "command": words, "figures": figures}


def kept(path: Path) -> dict[str, Any]:
    """What was measured before."""
    if not path.exists():
        raise SystemExit(f"make_figures: there is no {path.name} yet; measure it first, without --kept")
    told: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return told


# ---------------------------------------------------------------------------------------------- the README
def markdown(heads: Sequence[Any], rows: Sequence[Sequence[Any]]) -> str:
    """A table whose columns but the first stand at the right."""
    lines = [list(heads), ["---"] + ["---:"] * (len(heads) - 1), *map(list, rows)]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)


def section(name: str, part: Part, told: dict[str, Any], folder: str) -> str:
    """What stands between the markers of a part."""
    pieces = [f"{told['date']}, {told['machine']}: `{told['command']}`"]
    if part.table is not None:
        pieces.append(part.table(told["figures"]))
    if part.draw is not None:
        pieces.append(f"![{name}]({folder}/{name}.svg)")
    return "\n\n".join(pieces)


def replaced(text: str, name: str, content: str) -> str:
    """A text with new content between the markers of a part."""
    begin, end = f"<!-- figures: {name} -->", "<!-- end -->"
    pattern = re.compile(re.escape(begin) + r".*?" + re.escape(end), re.DOTALL)
    if not pattern.search(text):
        raise SystemExit(f"make_figures: the README has no place for {name!r}: {begin} … {end}")
    return pattern.sub(lambda _: f"{begin}\n{content}\n{end}", text, count=1)


def make(name: str, part: Part, *, keep: bool, readme: Path, figures: Path) -> None:
    """One part, from its measuring to its place in the README."""
    replaced(readme.read_text(encoding="utf-8"), name, "")  # says before the measuring that there is no place for it
    figures.mkdir(parents=True, exist_ok=True)
    path = figures / f"{name}.json"
    told = kept(path) if keep else measured(part)
    path.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
    if part.draw is not None:
        part.draw(str(figures / name), told["figures"])
    folder = figures.relative_to(readme.parent).as_posix()
    text = readme.read_text(encoding="utf-8")  # anew: measuring takes long
    readme.write_text(replaced(text, name, section(name, part, told, folder)), encoding="utf-8")


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"{', '.join(PARTS)} (default: all)")
    parser.add_argument("--kept", action="store_true", help="from the JSON that is there, without measuring")
    options = parser.parse_args(arguments)
    unknown = [name for name in options.parts if name not in PARTS]
    if unknown:
        parser.error(f"unknown part {unknown[0]!r}; choose from: {', '.join(PARTS)}")
    for name in options.parts or PARTS:
        make(name, PARTS[name], keep=options.kept, readme=README, figures=FIGURES)


if __name__ == "__main__":
    main()
