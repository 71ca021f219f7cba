"""Engines: how a search tree is kept and grown. `base.py` says what a tree offers; `interpreted.py` has Python objects."""
