"""Games to search, to play and to learn from.

Each module is one game: its docstring gives the rules, its class the positions, and a function in lower case makes the
start from checked parameters. The games know `parallel_mcts.state` and nothing of the search, and all but `nim` (the
newcomer's example) keep to the plain numeric Python that the compiled engine understands.
"""
