"""Exact cover: the compiled search where there is one, otherwise the same in plain Python.

A problem is for each **item** how many chosen options must hold it at least, and may at
most; and **options**, each a list of (item, colour) pairs. Colour 0 takes the item for this
option alone; options that hold an item in the same colour above 0 share it.

>>> search = Cover([1, 1, 1], [1, 1, 1], [[(0, 0), (1, 0)], [(2, 0)], [(1, 0), (2, 0)]])
>>> search.run(1000) is Status.FOUND, sorted(search.solution)
(True, [0, 1])
>>> search.run(1000) is Status.DONE
True
"""

try:
    from tegel.solver._cover import Cover, Packing, Status

    COMPILED = True
except ImportError:
    from tegel.solver.plain import Cover, Packing, Status  # type: ignore[assignment]

    COMPILED = False

__all__ = ["COMPILED", "Cover", "Packing", "Status"]
