"""Other packages beside this one: the same rules, the same run, the same time. `parallel-mcts bench peers` calls it.

Each package has an adapter that gives it the games in the form it asks for, and it searches as its authors left it. The
thread that runs the program calls everything here.
"""
