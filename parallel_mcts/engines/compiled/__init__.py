"""The compiled engine: `descent.run` and everything it calls, as machine code over nodes that are pointers.

Made by numba from the same source that the interpreter runs. Importing a module of this folder loads numba.

    layout, blocks      where the numbers of a node lie; reading and writing them from Python
    memory              the chunks of memory that trees grow in
    types, builtins     what numba is taught about, and how
    nodes, arenas, paths, spinlocks, streams, scratch, tuples, methods, separate
                        what each of these compiles to
    entry               the one function that Python calls
    digest, cache       machine code on disk, never stale
    compilation         whether a search can be compiled, and why not
    tree                the tree that backends use
"""
