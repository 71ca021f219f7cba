"""A Gomoku engine: five in a row, played strongly, against people and other programs.

`position.py` and `thinking.py` say what a position is and what thinks about it; the rest of the package plays.
"""
