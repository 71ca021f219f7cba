"""Pictures of a search: a page of its own in HTML, and its tree in SVG or for Graphviz.

    from parallel_mcts import Search, game
    from parallel_mcts.report import Recorder, write_html

    recorder = Recorder()
    with Search(game("goofspiel:cards=4"), seed=1) as session:
        session.run(seconds=2, on_progress=recorder, progress_seconds=0.0)
        write_html("goofspiel.html", session, recorder=recorder)

For people and the command line; the thread that owns the session calls it.
"""

from .dot import write_dot
from .drawing import write_svg
from .excerpt import Branch, most_visited
from .page import write_html
from .recorder import Point, Recorder

__all__ = ["Branch", "Point", "Recorder", "most_visited", "write_dot", "write_html", "write_svg"]
