"""How fast a search is, how far it scales, and how it does beside others: what `parallel-mcts bench` runs.

Nothing here is loaded by a search. The thread that runs the program calls it.
"""
