"""A failed build leaves a package that works without its native parts: that must not pass for
a good one where there is a compiler."""

import os
import shutil

from servers import missing
from tegel import games
from tegel.search import kernel
from tegel.solver import cover


def test_the_engine_and_the_solver_were_built() -> None:
    if not shutil.which(os.environ.get("CXX", "c++")):
        missing("A C++ compiler")
    assert cover.COMPILED
    assert {name for name in games.every() if games.load(name).kernel} == set(kernel.GAMES)
