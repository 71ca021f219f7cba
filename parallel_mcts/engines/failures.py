"""Says what went wrong when a game, a model or an algorithm raised in the middle of a search.

The descent carries no bookkeeping for this: the frames of the traceback still hold the position and the actions.
Called by the interpreted engine, in whichever thread or process the failure happened.
"""

from __future__ import annotations

import traceback
from types import FrameType, TracebackType
from typing import Any

from .. import descent, scoring
from ..errors import AlgorithmError, EndlessGame, GameError, ModelError, PayoffError, SearchFailed
from ..models.rollout import Rollout
from ..state import action_names, name_of, payoff_range, show
from ..stats import BadShape


def explained(error: Exception, root: Any, algorithm: Any, model: Any) -> SearchFailed:
    """The error to raise instead: which part failed, where, doing what."""
    frames = _frames(error.__traceback__)
    found = _explanation(error, frames, root, algorithm, model)
    found.details = "".join(traceback.format_exception(error))
    return found


def nodes_under_way(error: Exception) -> list[Any]:
    """The nodes at which the search was when it failed: one of them may be locked."""
    search = (descent.run.__code__, descent.link.__code__, descent.credit.__code__)
    frames = [frame for frame in _frames(error.__traceback__) if frame.f_code in search]
    return [frame.f_locals["node"] for frame in frames if frame.f_locals.get("node") is not None]


def _explanation(error: Exception, frames: list[FrameType], root: Any, algorithm: Any, model: Any) -> SearchFailed:
    game = type(root)
    position = _position(frames, game)
    where = f"in {name_of(root)} at {show(position)}{_actions(frames, position, game)}"
    said = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    if isinstance(error, EndlessGame):
        return EndlessGame(f"{name_of(root)} did not end within {error} random moves; does it ever? (max_plies={error})")
    if isinstance(error, BadShape):
        return GameError(f"shape() gave {error.args} {where}; a player without actions means that the game is over: (0, 0)")
    if any(_is_score(frame) for frame in frames):
        return _bad_value(error, frames, root, position, model)
    if isinstance(error, SearchFailed):  # a search inside the model has explained it already
        return error
    method = _method(frames, game)
    if method is not None:
        return GameError(f"{method}() raised {said} {where}")
    if frames[-1].f_code is descent.run.__code__ and isinstance(error, IndexError):
        return AlgorithmError(f"{algorithm!r} chose an action that does not exist {where}")
    if _method(frames, type(algorithm)) is not None:
        return AlgorithmError(f"{algorithm!r}.{_method(frames, type(algorithm))}() raised {said} {where}")
    return ModelError(f"{model!r} raised {said} {where}")


def _frames(trace: TracebackType | None) -> list[FrameType]:
    frames = []
    while trace is not None:
        frames.append(trace.tb_frame)
        trace = trace.tb_next
    return frames


_SCORING = {scale.score.__code__ for scale in (scoring.ConstantSum, scoring.GeneralSum)}
_JUDGING = {judge.value.__code__ for judge in (scoring.ValueJudge, scoring.UniformPriorJudge, scoring.PolicyJudge)}


def _is_score(frame: FrameType) -> bool:
    return frame.f_code in _SCORING


def _position(frames: list[FrameType], game: type) -> Any:
    """The position nearest to the failure."""
    for frame in reversed(frames):
        for name in ("self", "state"):
            if type(frame.f_locals.get(name)) is game:
                return frame.f_locals[name]
        node = frame.f_locals.get("node")
        if node is not None and type(getattr(node, "state", None)) is game:
            return node.state
    return "a position that could not be recovered"


def _actions(frames: list[FrameType], position: Any, game: type) -> str:
    """The joint action under way, where there was one."""
    for frame in reversed(frames):
        i, j = frame.f_locals.get("i"), frame.f_locals.get("j")
        if isinstance(i, int) and isinstance(j, int):
            return f", actions {action_names(position, i, j)}" if isinstance(position, game) else ""
    return ""


def _method(frames: list[FrameType], cls: type) -> str | None:
    """The outermost method of a class that was running."""
    for frame in frames:
        if isinstance(frame.f_locals.get("self"), cls):
            return frame.f_code.co_name
    return None


def _bad_value(error: Exception, frames: list[FrameType], root: Any, position: Any, model: Any) -> SearchFailed:
    """A payoff or a model's value that is out of range, or no number at all."""
    judged = next(frame.f_locals for frame in frames if frame.f_code in _JUDGING)
    payoff = next(frame.f_locals["payoff"] for frame in frames if _is_score(frame))
    if not judged["node"].rows:
        message = f"{name_of(root)}.payoff() gave {payoff!r} at {show(position)}; "
    elif isinstance(model, Rollout):
        message = f"a random game of {name_of(root)} from {show(position)} ended with the payoff {payoff!r}; "
    else:
        message = f"{model!r} gave {payoff!r} at {show(position)}; "
    if isinstance(error, PayoffError):
        return PayoffError(message + f"the declared payoff_range is {payoff_range(root)}")
    if isinstance(payoff, tuple):
        return PayoffError(message + "a game with a payoff for each player declares constant_sum = False")
    kind = "a number" if isinstance(judged["self"].scale, scoring.ConstantSum) else "a pair of numbers"
    return PayoffError(message + f"it must be {kind}")
